import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import * as contract from '../../../nodes/BusinessMessaging/service/contract';
import { OPERATION_DESCRIPTIONS } from '../../../sandbox/openapi/operations.mts';
import { checkout } from '../../../scripts/checkout.mts';
import { assumptionNames, renderContractPage, schemasOn } from './contractPage.mts';

const FILE = join(checkout, 'docs', 'contract.md');
const page = readFileSync(FILE, 'utf8');

/** The rows of the table under the heading with that first column, as cells. */
const rowsOf = (firstColumn: string): string[][] => {
	const table = page.split(`\n| ${firstColumn} |`)[1]?.split('\n\n')[0] ?? '';
	return table
		.split('\n')
		.slice(2)
		.map((row) =>
			row
				.split('|')
				.slice(1, -1)
				.map((text) => text.trim()),
		);
};

test('the tables of fields and assumptions match the code', () => {
	const rendered = renderContractPage(page);
	// On a developer's machine this updates the page, and the developer commits it.
	if (process.env.CI === undefined && rendered !== page) writeFileSync(FILE, rendered);
	expect(rendered).toBe(page);
});

test('the page shows the fields of every request, response and event', () => {
	/** Parts of other shapes, and shapes that the page explains in a sentence. */
	const told = [
		'idSchema',
		'errorASchema',
		'errorBSchema',
		'errorDSchema',
		'innerErrorsSchema',
		'innerErrorSchema',
		'channelSchema',
		'listedTemplateSchema',
		'webhookAuthSchema',
		'webhookAuthInfoSchema',
		'webhookListSchema',
		'webhookWithSecretSchema',
		'updateWebhookRequestSchema',
	];
	const schemas = Object.entries(contract).filter(
		([name, value]) => value instanceof z.ZodObject && !told.includes(name),
	);
	expect(schemasOn(page).sort()).toEqual(schemas.map(([name]) => name).sort());
});

test("the table of requests matches the sandbox's service", () => {
	const shown = rowsOf('Operation').map(([, request, status]) => `${request} ${status}`);
	const played = Object.values(OPERATION_DESCRIPTIONS).map(
		({ method, path, success }) => `\`${method.toUpperCase()} ${path}\` ${success.status}`,
	);
	expect(played.length).toBeGreaterThan(10);
	expect(shown.sort()).toEqual(played.sort());
});

test('the table of events matches the code', () => {
	const shown = rowsOf('Event').map(([event, kind]) => `${event} ${kind}`);
	const known = [
		...contract.CHANNEL_EVENTS.map((event) => `${event} channel webhooks`),
		...contract.TEMPLATE_EVENTS.map((event) => `${event} template webhooks`),
	];
	expect(shown).toEqual(known);
});

test('the table of file types matches the code', () => {
	const shown = rowsOf('Kind of file').map(([kind, types]) => `${kind}: ${types}`);
	const known = Object.entries(contract.MEDIA_TYPES).map(
		([kind, types]) => `${kind}: ${types.map((type) => `\`${type}\``).join(', ')}`,
	);
	expect(shown).toEqual(known);
});

/** By the name of an assumption, the words in which the README names it. */
const WORDS_OF_ASSUMPTIONS: Record<string, string | number> = {
	API_KEY_HEADER: contract.API_KEY_HEADER,
	WINDOW_CLOSED_PATTERN: 'a closed window',
	TEMPLATE_UNAUTHORIZED: contract.TEMPLATE_UNAUTHORIZED.status,
	CHANNEL_EVENTS_ONLY: "template events on a channel's webhook",
	INVALID_BODY_STATUS: contract.INVALID_BODY_STATUS,
	SUGGESTED_TIMESTAMP_TOLERANCE: `${contract.SUGGESTED_TIMESTAMP_TOLERANCE} s old`,
	DELIVERY_SCHEDULE: 'the schedule',
	DELIVERY_TIMEOUT: 'timeout of deliveries',
	MESSAGE_STATES: 'names of message states',
	MESSAGE_EVENT_TYPES: contract.MESSAGE_EVENT_TYPES.newMessage,
	BUTTON_REPLY_FIELDS: 'the button that was tapped',
	WEBHOOK_TIME_RESOLUTION: 'one clock',
	CHANNEL_NOT_CONNECTED: 'a channel that is not connected',
	RESERVED_DELIVERY_HEADERS: 'delivery headers',
	MEDIA_ATTACHMENTS_MAX: 'one file a message',
	BUTTON_REPLY_FIELD: 'event bodies',
	BUTTON_REPLY_TYPE: 'event bodies',
	TEMPLATE_REFUSALS: 'refusals and states of templates',
	TEMPLATE_STATUSES: 'refusals and states of templates',
	DEFAULT_TEMPLATES_PATH: contract.DEFAULT_TEMPLATES_PATH,
};

test('the README names every assumption', () => {
	const readme = readFileSync(join(checkout, 'README.md'), 'utf8');
	const section = readme.split('**Assumed parts of the contract.**')[1]?.split('\n## ')[0] ?? '';
	expect(Object.keys(WORDS_OF_ASSUMPTIONS)).toEqual(assumptionNames());
	for (const said of Object.values(WORDS_OF_ASSUMPTIONS)) expect(section).toContain(String(said));
});
