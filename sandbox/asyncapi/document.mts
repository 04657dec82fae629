import { OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi';

import { GZIP_THRESHOLD, IDEMPOTENCY_HEADER, SIGNATURE_HEADER } from '../contract.mts';
import { newRegistry } from '../openapi/registry.mts';
import {
	BODIES,
	CHANNEL_EVENT_DESCRIPTIONS,
	type EventDescription,
	TEMPLATE_EVENT_DESCRIPTIONS,
} from './events.mts';
import { EXAMPLES } from './examples.mts';

type Descriptions = Record<string, EventDescription>;

const reference = (path: string) => ({ $ref: `#/${path}` });
const namesOf = (descriptions: Descriptions) => Object.keys(descriptions);

const HEADERS = {
	type: 'object',
	required: ['content-type', IDEMPOTENCY_HEADER],
	properties: {
		'content-type': { const: 'application/json' },
		'content-encoding': {
			const: 'gzip',
			description: `For bodies of ${GZIP_THRESHOLD} bytes or more`,
		},
		[IDEMPOTENCY_HEADER]: {
			type: 'string',
			description:
				'Topic, partition and offset, separated by colons. A redelivery has the same key',
		},
		[SIGNATURE_HEADER]: {
			type: 'string',
			description:
				'With signing: `t=<seconds>,v1=<HMAC-SHA256 in hexadecimal>`, over the seconds, topic, partition and offset, each on its own line, and the body before compression. Every attempt has a new signature',
		},
	},
};

function messagesOf(descriptions: Descriptions) {
	return Object.fromEntries(
		Object.entries(descriptions).map(([name, { summary, bodies }]) => {
			const payloads = bodies.map((body) => reference(`components/schemas/${body}`));
			const message = {
				...{ name, title: name, summary, contentType: 'application/json' },
				headers: reference('components/schemas/Headers'),
				payload: payloads.length === 1 ? payloads[0]! : { anyOf: payloads },
				examples: bodies.flatMap((body) => EXAMPLES[body].map((payload) => ({ payload }))),
			};
			return [name, message];
		}),
	);
}

function channelOf(title: string, description: string, descriptions: Descriptions) {
	const messages = namesOf(descriptions).map((name) => [
		name,
		reference(`components/messages/${name}`),
	]);
	// The address is the webhook's URL, which its registration sets.
	return { address: null, title, description, messages: Object.fromEntries(messages) as object };
}

const delivery = (channel: string, descriptions: Descriptions) => ({
	action: 'send',
	summary: "POST to the webhook's URL until it responds with 2xx or no tries are left",
	channel: reference(`channels/${channel}`),
	messages: namesOf(descriptions).map((name) => reference(`channels/${channel}/messages/${name}`)),
});

/** The events that the sandbox delivers, as an AsyncAPI 3 document with an example of each kind. */
export function asyncApiDocument() {
	const registry = newRegistry();
	for (const [name, schema] of Object.entries(BODIES)) registry.register(name, schema);
	const { components } = new OpenApiGeneratorV31(registry.definitions).generateComponents();
	return {
		asyncapi: '3.0.0',
		info: {
			title: 'Business messaging service: events',
			version: '1.0.0',
			description:
				'Events as the sandbox delivers them. Requests and responses are in /openapi.json.',
			license: { name: 'MIT' },
		},
		defaultContentType: 'application/json',
		channels: {
			channelWebhook: channelOf(
				'Webhook of a channel',
				'Events of one channel',
				CHANNEL_EVENT_DESCRIPTIONS,
			),
			templateWebhook: channelOf(
				'Template webhook',
				"Events of the account's message templates",
				TEMPLATE_EVENT_DESCRIPTIONS,
			),
		},
		operations: {
			deliverToChannelWebhook: delivery('channelWebhook', CHANNEL_EVENT_DESCRIPTIONS),
			deliverToTemplateWebhook: delivery('templateWebhook', TEMPLATE_EVENT_DESCRIPTIONS),
		},
		components: {
			messages: {
				...messagesOf(CHANNEL_EVENT_DESCRIPTIONS),
				...messagesOf(TEMPLATE_EVENT_DESCRIPTIONS),
			},
			schemas: { ...components?.schemas, Headers: HEADERS },
		},
	};
}
