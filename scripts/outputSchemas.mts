/**
 * The schemas of what the nodes output. n8n's editor shows them before a node has run, and its
 * assistants build by them. The build writes the files in which n8n looks for them.
 * `test/core/outputSchemas.test.mts` compares them with what the operations output.
 */

/** The part of JSON Schema that n8n's editor reads. */
export interface OutputSchema {
	type: string;
	properties?: Fields;
	items?: OutputSchema;
	/** The version of n8n's format of these files. */
	version?: 1;
}
type Fields = Record<string, OutputSchema>;

const text: OutputSchema = { type: 'string' };
const number: OutputSchema = { type: 'number' };
const yesOrNo: OutputSchema = { type: 'boolean' };
const object = (properties: Fields): OutputSchema => ({ type: 'object', properties });
const list = (items: OutputSchema): OutputSchema => ({ type: 'array', items });
const texts = (...names: string[]): Fields => Object.fromEntries(names.map((name) => [name, text]));

const party = object(texts('identifier', 'name', 'key'));
const attachments = list(object(texts('type', 'url', 'caption', 'thumbnailUrl')));

/** The fields of messages, then those of template events. n8n looks it up by the version alone. */
const trigger = object({
	text,
	sender: party,
	...texts('event', 'channelId', 'messageId', 'timestamp'),
	fromMe: yesOrNo,
	fromApi: yesOrNo,
	forwarded: yesOrNo,
	recipient: party,
	...texts('type', 'status'),
	statusDetails: object({}),
	attachments,
	reply: object(texts('id', 'title')),
	...texts('templateId', 'templateName', 'language', 'reason', 'category', 'wabaId'),
	...texts('previousCategory', 'newCategory', 'correctCategory'),
});

const waited = object({
	data: object({
		approved: yesOrNo,
		responder: object(texts('identifier', 'name')),
		...texts('text', 'choice'),
		choiceNumber: number,
		...texts('value', 'outcome', 'respondedAt'),
	}),
});
/** The last comes if it differs from the recipient. */
const sent = texts('messageId', 'channelId', 'recipient', 'sentTo');
/** Of a template. The second comes if the template was remembered. */
const shown = texts('text', 'textReadAt');
const template = object({ ...sent, ...shown });
/** The others come if a template took its place. */
const freeForm = object({ ...sent, sentAs: text, ...shown });

const channel = texts('id', 'name', 'type');
const ofChannel = object({ success: yesOrNo, channelId: text });
const templateWebhook = {
	...texts('id', 'url', 'description'),
	events: list(text),
	status: text,
	signing: yesOrNo,
	auth: object({ type: text, configured: yesOrNo }),
	...texts('createdAt', 'updatedAt'),
	createdByN8n: yesOrNo,
	createdByThisN8n: yesOrNo,
};
const ofWebhooks = (fields: Fields, deleted: Fields) => ({
	create: object({ ...fields, secret: text }),
	delete: object({ deleted: yesOrNo, id: text, ...deleted }),
	getAll: object(fields),
	update: object(fields),
});
const webhook = { ...templateWebhook, channelId: text };

/** By resource and operation. */
const action: Record<string, Fields> = {
	channel: {
		cancelSubscription: object({ cancelled: yesOrNo, channelId: text }),
		check: object({
			...texts('channelId', 'name'),
			connected: yesOrNo,
			paymentStatus: text,
			webhooks: list(object({ ...texts('id', 'url', 'status'), events: list(text), of: text })),
			lastReceivedAt: text,
			problems: list(object(texts('problem', 'remedy'))),
		}),
		connect: ofChannel,
		create: object(channel),
		delete: object({ deleted: yesOrNo, id: text }),
		disconnect: ofChannel,
		get: object({
			...channel,
			webhooks: list(object({ ...texts('id', 'url'), events: list(text) })),
		}),
		getAll: object(channel),
		subscribe: object({ subscribed: yesOrNo, ...texts('channelId', 'message') }),
	},
	message: {
		// What the item held goes on; by default the attachments come from it.
		downloadAttachments: object({ attachments }),
		// What the item held goes on here, too.
		normalizeRecipient: object({
			recipient: object(texts('identifier', 'key', 'sessionId', 'problem')),
		}),
		sendAndWait: waited,
		sendButtons: freeForm,
		sendContact: freeForm,
		sendMedia: freeForm,
		sendOther: freeForm,
		sendTemplate: template,
		sendText: freeForm,
	},
	business: { getAll: object(texts('businessId', 'name')) },
	template: {
		create: object(texts('id', 'status', 'category', 'name', 'language', 'businessId')),
		delete: object({ deleted: yesOrNo, id: text }),
		sync: object({ synced: yesOrNo, syncedCount: number, businessId: text }),
		update: object({ updated: yesOrNo, id: text }),
		getAll: object({
			...texts('id', 'name', 'language', 'status', 'category', 'text'),
			variables: list(object(texts('id', 'label', 'example'))),
		}),
	},
	templateWebhook: ofWebhooks(templateWebhook, {}),
	webhook: ofWebhooks(webhook, { channelId: text }),
};

/** n8n looks for the schemas of a node in the folder of its version. */
const FOLDER = '__schema__/v2.0.0';

/** The schemas by the path at which n8n looks for them, from the folder of the nodes. */
export function outputSchemas(): Map<string, OutputSchema> {
	const all = new Map<string, OutputSchema>([[`${FOLDER}.json`, { ...trigger, version: 1 }]]);
	for (const [resource, schemas] of Object.entries(action))
		for (const [operation, schema] of Object.entries(schemas))
			all.set(`${FOLDER}/${resource}/${operation}.json`, { ...schema, version: 1 });
	return all;
}
