/** What Alerts makes of the service's events. */
import type { IDataObject } from 'n8n-workflow';

import { assignedBy, evaluate } from './evaluate.mts';

const failed = (field: string, $json: IDataObject) =>
	evaluate(assignedBy('alerts', 'Say What Happened', field), $json);
const changed = (field: string, $json: IDataObject) =>
	evaluate(assignedBy('alerts', 'Say What Changed', field), $json);

test.each<[string, IDataObject | undefined, string]>([
	['a code and words', { code: 131_026, message: 'Undeliverable' }, '131026: Undeliverable'],
	[
		'a list of errors',
		{
			errors: [
				{ code: 131_047, title: 'Re-engagement', error_data: { details: 'After 24 hours' } },
				{ code: 1, title: 'Other', message: 'Other' },
			],
		},
		'131047: Re-engagement: After 24 hours: 1: Other',
	],
	[
		'both, on several lines',
		{ code: 7, message: 'No\n"way"', errors: [null, { code: 7 }] },
		"7: No 'way'",
	],
	['fields of other names', { why: 'Blocked' }, "{'why':'Blocked'}"],
	['nothing', undefined, 'The service does not say why'],
])('says why a message was not delivered: %s', (_, statusDetails, reason) => {
	expect(failed('reason', { statusDetails })).toBe(reason);
});

const template = { templateName: 'offer', templateId: '1', language: 'en' };
const status = { ...template, event: 'UPDATE_TEMPLATE_STATUS', reason: null };
const category = { ...template, event: 'UPDATE_TEMPLATE_CATEGORY' };

test.each<[string, IDataObject]>([
	['Template offer (en) was approved', { ...status, status: 'APPROVED' }],
	['Template 1 (en) is now PAUSED', { ...status, templateName: null, status: 'PAUSED' }],
	[
		'Template offer (en) moved from UTILITY to MARKETING',
		{ ...category, previousCategory: 'UTILITY', newCategory: 'MARKETING', correctCategory: null },
	],
	[
		'Template offer (en) moved from UTILITY to MARKETING',
		{
			...category,
			previousCategory: 'UTILITY',
			newCategory: 'MARKETING',
			correctCategory: 'MARKETING',
		},
	],
	[
		'Template offer (en) moved from another category to MARKETING',
		{ ...category, previousCategory: null, newCategory: 'MARKETING', correctCategory: null },
	],
	[
		'Template offer (en) will move from UTILITY to MARKETING',
		{ ...category, previousCategory: null, newCategory: 'UTILITY', correctCategory: 'MARKETING' },
	],
	[
		'An event of templates came that this workflow does not know: template_quality_update',
		{ event: null, payload: { field: 'template_quality_update', value: {} } },
	],
	[
		'An event of templates came that this workflow does not know: it has no name',
		{ event: null, payload: [] },
	],
])('says %s', (title, $json) => {
	expect(changed('title', $json)).toBe(title);
	expect(changed('action', $json)).not.toMatch(/undefined|null/);
});

test('names an event of the channel that it does not know', () => {
	const fields = ['title', 'customer', 'name'].map((field) =>
		failed(field, { event: null, payload: {} }),
	);
	expect(fields).toEqual([
		'An event of the channel came that this workflow does not know',
		undefined,
		'""',
	]);
	expect(changed('action', { event: null, payload: {} })).toMatch(/^Look at the execution/);
});
