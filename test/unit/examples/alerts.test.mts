/** What Alerts makes of the service's events. */
import type { IDataObject } from 'n8n-workflow';

import { assignedBy, evaluate } from './evaluate.mts';

const failed = (field: string, $json: IDataObject) =>
	evaluate(assignedBy('alerts', 'Say What Happened', field), $json);
const changed = (field: string, $json: IDataObject) =>
	evaluate(assignedBy('alerts', 'Say What Changed', field), $json);

const error = { code: 131_047, title: 'Too late', error_data: { details: 'After 24 hours' } };
test.each<[string, IDataObject | undefined]>([
	['131026: Undeliverable', { code: 131_026, message: 'Undeliverable' }],
	['131047: Too late: After 24 hours: 1: No', { errors: [error, { code: 1, message: 'No' }] }],
	["7: No 'way'", { code: 7, message: 'No\n"way"', errors: [null, { code: 7 }] }],
	["{'why':'Blocked'}", { why: 'Blocked' }],
	['The service does not say why', undefined],
])('says why a message was not delivered: %s', (reason, statusDetails) => {
	expect(failed('reason', { statusDetails })).toBe(reason);
});

const offer = { templateName: 'offer', templateId: '1', language: 'en' };
const status = { ...offer, event: 'UPDATE_TEMPLATE_STATUS' };
const moved = (previousCategory: string | null, newCategory: string, correctCategory?: string) => ({
	...{ ...offer, event: 'UPDATE_TEMPLATE_CATEGORY', previousCategory, newCategory },
	correctCategory: correctCategory ?? null,
});
const UNKNOWN = 'An event of templates came that this workflow does not know';

test.each<[string, IDataObject]>([
	['Template offer (en) was approved', { ...status, status: 'APPROVED' }],
	['Template 1 (en) is now PAUSED', { ...status, templateName: null, status: 'PAUSED' }],
	['Template offer (en) moved from UTILITY to MARKETING', moved('UTILITY', 'MARKETING')],
	[
		'Template offer (en) moved from UTILITY to MARKETING',
		moved('UTILITY', 'MARKETING', 'MARKETING'),
	],
	['Template offer (en) moved from another category to MARKETING', moved(null, 'MARKETING')],
	['Template offer (en) will move from UTILITY to MARKETING', moved(null, 'UTILITY', 'MARKETING')],
	[`${UNKNOWN}: quality_update`, { event: null, payload: { field: 'quality_update' } }],
	[`${UNKNOWN}: it has no name`, { event: null, payload: [] }],
])('says %s', (title, $json) => {
	expect(changed('title', $json)).toBe(title);
	expect(changed('action', $json)).toMatch(
		$json.event ? /^(?:None|Look at the template|Check)/ : /^Look at the execution/,
	);
});

test('names an event of the channel that it does not know', () => {
	const unknown = { event: null, payload: {} };
	expect(['title', 'customer', 'name'].map((field) => failed(field, unknown))).toEqual([
		...['An event of the channel came that this workflow does not know', undefined, '""'],
	]);
});
