import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { ZodType, ZodTypeDef } from 'zod';

import { WEBHOOK_URL_MAX } from '../../service/contract';
import { jsonOf } from '../../shared/node/parameters';

/** The labels of a webhook's fields in the editor. */
const LABELS: Record<string, string> = {
	url: 'URL',
	events: 'Events',
	auth: 'Authentication',
	customAttributes: 'Custom Attributes',
	payloadFormat: 'Payload Format',
	description: 'Description',
	signing: 'Signing',
	status: 'Status',
};

/** What to enter instead. The other fields are lists. */
const REMEDIES: Record<string, string> = {
	url: `Enter a whole URL of at most ${WEBHOOK_URL_MAX} characters, e.g. https://example.com/events.`,
	events: 'Choose at least one event.',
	customAttributes: 'Enter an object, e.g. {"team": "support"}.',
	description: 'Enter a text.',
	payloadFormat: 'Enter a name, e.g. DEFAULT.',
	signing: 'Enter true or false.',
};

const PARTS_OF_AUTH: Record<string, string> = {
	token: 'Token',
	key: 'Key',
	username: 'Username',
	password: 'Password',
	headerName: 'Header Name',
	headerValue: 'Header Value',
};

/** Only the keys of the chosen type, because the editor keeps the values of hidden fields. */
function readAuth(auth: IDataObject): IDataObject {
	const keys: Record<string, string[]> = {
		BEARER: ['token'],
		API_KEY: ['key'],
		BASIC: ['username', 'password'],
		CUSTOM_HEADER: ['headerName', 'headerValue'],
	};
	const type = String(auth.type ?? 'BEARER');
	return {
		type,
		...Object.fromEntries(
			(keys[type] ?? []).map((key): [string, IDataObject[string]] => [key, auth[key] ?? '']),
		),
	};
}

/** @param schema what the service accepts. @throws Error that names a field it would refuse */
export function readRequest<Request>(
	schema: ZodType<Request, ZodTypeDef, unknown>,
	values: IDataObject,
): Request {
	const wanted: IDataObject = { ...values };
	const auth = (values.auth as IDataObject | undefined)?.value as IDataObject | undefined;
	delete wanted.auth;
	if (auth) wanted.auth = readAuth(auth);
	if ('customAttributes' in values)
		wanted.customAttributes = jsonOf(values.customAttributes, 'Custom Attributes') ?? null;
	const parsed = schema.safeParse(wanted);
	if (parsed.success) return parsed.data;
	const [field = '', part = ''] = parsed.error.issues[0]?.path.map(String) ?? [];
	const remedy =
		field === 'auth' && part in PARTS_OF_AUTH
			? `Fill in its "${PARTS_OF_AUTH[part]}".`
			: REMEDIES[field];
	throw new Error(
		`"${LABELS[field] ?? field}" cannot be used. ${remedy ?? 'Choose a value from the list.'}`,
	);
}

/** The values of a collection field. */
export function readCollection(
	context: IExecuteFunctions,
	name: string,
	itemIndex: number,
): IDataObject {
	const values: unknown = context.getNodeParameter(name, itemIndex, {});
	return typeof values === 'object' ? { ...values } : {};
}
