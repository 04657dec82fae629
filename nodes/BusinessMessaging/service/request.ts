import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';
import type { ZodType, ZodTypeDef } from 'zod';

import type { RequestKind } from './errors/response';
import type { ListPlace } from './leftOut';

export interface ServiceRequest<Result> {
	/** What is tried, to follow "Could not ". */
	action: string;
	/** What its errors mean. If left out, those of a read or a change. */
	kind?: RequestKind;
	method: IHttpRequestMethods;
	/** Segments after the base URL, not encoded: `['v1', 'channels', channelId]`. */
	path: string[];
	query?: IDataObject;
	/** An object is sent as JSON, unless `contentType` says otherwise. */
	body?: object;
	contentType?: string;
	/** Secrets of the body, beside the signatures in it. No error shows them. */
	secrets?: readonly string[];
	/** Whether an error quotes of the response nothing but its status and codes. */
	quotesOnlyCodes?: boolean;
	/** The shape of the response. Leave it out if the service responds without a body. */
	response?: ZodType<Result, ZodTypeDef, unknown>;
	/** If the response is a list, or has one: what cannot be read of its entries is left out. */
	entries?: ListPlace;
	/** Milliseconds for all of it. */
	timeout?: number;
}
