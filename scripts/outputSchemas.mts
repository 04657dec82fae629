/**
 * What the nodes give: the schemas that n8n's editor shows before a node has run, and that its assistants build by. Here once; the build writes the
 * files in which n8n looks for them. `test/core/outputSchemas.test.mts` holds them to what the operations give.
 */

/** As much of JSON Schema as n8n's editor reads. */
export interface OutputSchema {
	type: string;
	properties?: Record<string, OutputSchema>;
	items?: OutputSchema;
	/** Of n8n's form of these files. */
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

const party = object({ identifier: text, name: text });
const attachments = list(object({ type: text, url: text, caption: text, thumbnailUrl: text }));

/** n8n looks up a trigger's by its version alone: the fields of messages, then those that template events have besides. */
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
		responder: party,
		text,
		choice: text,
		choiceNumber: number,
		outcome: text,
		respondedAt: text,
	}),
});
const sent = object({ messageId: text, channelId: text, recipient: text });

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
		connect: ofChannel,
		create: object(channel),
		delete: object({ deleted: yesOrNo, id: text }),
		disconnect: ofChannel,
		get: object({
			...channel,
			webhooks: list(object({ id: text, url: text, events: list(text) })),
		}),
		getAll: object(channel),
	},
	message: {
		// What the item held goes on; by default the attachments come from it.
		downloadAttachments: object({ attachments }),
		sendAndWait: waited,
		sendButtons: sent,
		sendContact: sent,
		sendMedia: sent,
		sendOther: sent,
		sendTemplate: sent,
		sendText: sent,
	},
	templateWebhook: ofWebhooks(templateWebhook, {}),
	webhook: ofWebhooks(webhook, { channelId: text }),
};

/** The editor takes a schema of the node's very version, the assistants any. Of earlier versions there is what those showed. */
const byVersion: Record<string, { trigger: OutputSchema; action: typeof action }> = {
	'1.0.0': { trigger, action: { message: { sendAndWait: waited } } },
	'1.1.0': { trigger, action },
	'1.2.0': { trigger, action: {} },
};

/** The schemas by the path at which n8n looks for them, from the folder of the nodes. */
export function outputSchemas(): Map<string, OutputSchema> {
	const schemas = new Map<string, OutputSchema>();
	for (const [version, ofNodes] of Object.entries(byVersion)) {
		schemas.set(pathOf(version), { ...ofNodes.trigger, version: 1 });
		for (const [resource, operations] of Object.entries(ofNodes.action))
			for (const [operation, schema] of Object.entries(operations))
				schemas.set(pathOf(version, resource, operation), { ...schema, version: 1 });
	}
	return schemas;
}

const pathOf = (version: string, ...rest: string[]): string =>
	`__schema__/${[`v${version}`, ...rest].join('/')}.json`;
