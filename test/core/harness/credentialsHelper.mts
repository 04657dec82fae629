import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { ICredentialsHelper } from 'n8n-workflow';

import { BusinessMessagingApi } from '../../../credentials/BusinessMessagingApi.credentials.ts';

/** Gives out the one credential and applies the package's own `authenticate`. */
export class TestCredentialsHelper extends (ICredentialsHelper as unknown as new () => object) {
	constructor(private readonly data: ICredentialDataDecryptedObject) {
		super();
	}

	getParentTypes = () => [];
	isCredentialUsableByNode = () => true;
	preAuthentication = async () => undefined;
	runPreAuthentication = async () => undefined;
	getDecrypted = async () => ({ ...this.data });
	getCredentialsProperties = () => new BusinessMessagingApi().properties;
	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		_type: string,
		options: IHttpRequestOptions,
	) => {
		const { authenticate } = new BusinessMessagingApi();
		return typeof authenticate === 'function' ? await authenticate(credentials, options) : options;
	};
}
