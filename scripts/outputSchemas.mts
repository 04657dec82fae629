/**
 * The schemas of what the nodes output. n8n's editor shows them before a node has run, and its
 * assistants build by them. The build writes the files in which n8n looks for them.
 * `test/core/outputSchemas.test.mts` compares them with what the operations output.
 */

/** The part of JSON Schema that n8n's editor reads. */
export interface OutputSchema {
	type: string;
	properties?: Record<string, OutputSchema>;
	items?: OutputSchema;
	/** The version of n8n's format of these files. */
	version?: 1;
}

const text: OutputSchema = { type: 'string' };
const number: OutputSchema = { type: 'number' };
const yesOrNo: OutputSchema = { type: 'boolean' };
const object = (properties: Record<string, OutputSchema>): OutputSchema => ({
	type: 'object',
	properties,
});
const list = (items: OutputSchema): OutputSchema => ({ type: 'array', items });

const responder = object({ identifier: text, name: text });
const party = object({ identifier: text, name: text, key: text });
const attachments = list(object({ type: text, url: text, caption: text, thumbnailUrl: text }));

/** The fields of messages, then those of template events. n8n looks it up by the version alone. */
const trigger = object({
	text,
	sender: party,
	event: text,
	channelId: text,
	messageId: text,
	timestamp: text,
	fromMe: yesOrNo,
	fromApi: yesOrNo,
	forwarded: yesOrNo,
	recipient: party,
	type: text,
	status: text,
	statusDetails: object({}),
	attachments,
	reply: object({ id: text, title: text }),
	templateId: text,
	templateName: text,
	language: text,
	reason: text,
	category: text,
	wabaId: text,
	previousCategory: text,
	newCategory: text,
	correctCategory: text,
});

const waited = object({
	data: object({
		approved: yesOrNo,
		responder,
		text,
		choice: text,
		choiceNumber: number,
		value: text,
		outcome: text,
		respondedAt: text,
	}),
});
/** The last comes if it differs from the recipient. */
const sent = { messageId: text, channelId: text, recipient: text, sentTo: text };
/** Of a template. The second comes if the template was remembered. */
const shown = { text, textReadAt: text };
const template = object({ ...sent, ...shown });
/** The others come if a template took its place. */
const freeForm = object({ ...sent, sentAs: text, ...shown });

const channel = { id: text, name: text, type: text };
const ofChannel = object({ success: yesOrNo, channelId: text });
const templateWebhook = {
	id: text,
	url: text,
	description: text,
	events: list(text),
	status: text,
	signing: yesOrNo,
	auth: object({ type: text, configured: yesOrNo }),
	createdAt: text,
	updatedAt: text,
	createdByN8n: yesOrNo,
	createdByThisN8n: yesOrNo,
};
const ofWebhooks = (
	fields: Record<string, OutputSchema>,
	deleted: Record<string, OutputSchema>,
) => ({
	create: object({ ...fields, secret: text }),
	delete: object({ deleted: yesOrNo, id: text, ...deleted }),
	getAll: object(fields),
	update: object(fields),
});
const webhook = { ...templateWebhook, channelId: text };

/** By resource and operation. */
const action: Record<string, Record<string, OutputSchema>> = {
	channel: {
		cancelSubscription: object({ cancelled: yesOrNo, channelId: text }),
		check: object({
			channelId: text,
			name: text,
			connected: yesOrNo,
			paymentStatus: text,
			webhooks: list(object({ id: text, url: text, status: text, events: list(text), of: text })),
			lastReceivedAt: text,
			problems: list(object({ problem: text, remedy: text })),
		}),
		connect: ofChannel,
		create: object(channel),
		delete: object({ deleted: yesOrNo, id: text }),
		disconnect: ofChannel,
		get: object({
			...channel,
			webhooks: list(object({ id: text, url: text, events: list(text) })),
		}),
		getAll: object(channel),
		subscribe: object({ subscribed: yesOrNo, channelId: text, message: text }),
	},
	message: {
		// What the item held goes on; by default the attachments come from it.
		downloadAttachments: object({ attachments }),
		// What the item held goes on here, too.
		normalizeRecipient: object({
			recipient: object({ identifier: text, key: text, sessionId: text, problem: text }),
		}),
		sendAndWait: waited,
		sendButtons: freeForm,
		sendContact: freeForm,
		sendMedia: freeForm,
		sendOther: freeForm,
		sendTemplate: template,
		sendText: freeForm,
	},
	business: { getAll: object({ businessId: text, name: text }) },
	template: {
		create: object({
			id: text,
			status: text,
			category: text,
			name: text,
			language: text,
			businessId: text,
		}),
		delete: object({ deleted: yesOrNo, id: text }),
		sync: object({ synced: yesOrNo, syncedCount: number, businessId: text }),
		update: object({ updated: yesOrNo, id: text }),
		getAll: object({
			id: text,
			name: text,
			language: text,
			status: text,
			category: text,
			text,
			variables: list(object({ id: text, label: text, example: text })),
		}),
	},
	templateWebhook: ofWebhooks(templateWebhook, {}),
	webhook: ofWebhooks(webhook, { channelId: text }),
};

/** n8n looks for the schemas of a node in the folder of its version. */
const FOLDER = '__schema__/v2.0.0';

/** The schemas by the path at which n8n looks for them, from the folder of the nodes. */
export function outputSchemas(): Map<string, OutputSchema> {
	const operations = Object.entries(action).flatMap(([resource, schemas]) =>
		Object.entries(schemas).map(
			([operation, schema]) => [`${FOLDER}/${resource}/${operation}.json`, schema] as const,
		),
	);
	return new Map(
		([[`${FOLDER}.json`, trigger], ...operations] as const).map(([path, schema]) => [
			path,
			{ ...schema, version: 1 },
		]),
	);
}
