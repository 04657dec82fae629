import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import * as contract from '#sandbox/contract.mts';
import { OPERATION_DESCRIPTIONS } from '#sandbox/openapi/operations.mts';
import { checkout } from '#scripts/checkout.mts';
import { renderContractPage, schemasOn } from './contractPage.mts';

const FILE = join(checkout, 'docs', 'contract.md');
const page = readFileSync(FILE, 'utf8');

test('the fields and assumptions match the code', () => {
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
		'errorListSchema',
		'errorDSchema',
		'innerErrorsSchema',
		'innerErrorSchema',
		'channelSchema',
		'templateContentSchema',
		'listedComponentSchema',
		'listedTemplateSchema',
		'templateDefinitionSchema',
		'createdTemplateSchema',
		'templateDoneSchema',
		'templateLibrarySchema',
		'templatesSyncedSchema',
		'templateFileSchema',
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
	const shown = [...page.matchAll(/^([A-Z]+) +(\/\S+) +(\d{3}) {2}/gm)].map(
		([, method, path, status]) => `${method} ${path} ${status}`,
	);
	const played = Object.values(OPERATION_DESCRIPTIONS).map(
		({ method, path, success }) => `${method.toUpperCase()} ${path} ${success.status}`,
	);
	expect(played.length).toBeGreaterThan(10);
	expect(shown.sort()).toEqual(played.sort());
});

test('the table of events matches the code', () => {
	const lists = /^channel webhooks\n([^]*?)\ntemplate webhooks\n([^]*?)\n```/m.exec(page) ?? [];
	const [channel, template] = lists.slice(1).map((list) => list.match(/\b[A-Z_]{5,}\b/g));
	expect(channel).toEqual([...contract.CHANNEL_EVENTS]);
	expect(template).toEqual([...contract.TEMPLATE_EVENTS]);
});
