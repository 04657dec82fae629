/** Choices, times and options of a question, case by case. */
import type { IDataObject } from 'n8n-workflow';

import {
	checkChoices,
	matchChoice,
	matchLabel,
} from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/kinds/choices.ts';
import { readSettings } from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/settings.ts';
import {
	endOfWait,
	readWaitLimit,
} from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/waitLimit.ts';
import { askingContext, CHANNEL, FakeService } from './fakes.mts';

const NOW = Date.UTC(2026, 6, 15, 12);
const months = Array.from({ length: 120 }, (_, index) => `Month ${index + 1} of ten years`);

it.each([
	['12', 11],
	['120', 119],
	['121', undefined],
	['0012', undefined],
	['+1', undefined],
	['0x1', undefined],
	['1e1', undefined],
	['1.0', undefined],
	['Month1of ten years', undefined],
])('of many choices, %j is this one: %p', (answer, index) => {
	expect(matchChoice(answer, months)).toBe(index);
});

it('words that differ by more than case are two choices', () => {
	expect(() => checkChoices(['Maße', 'Masse'])).not.toThrow();
	expect(matchLabel('MASSE', ['Maße', 'Masse'])).toBe(1);
});

it('no reply names a label that is blank or too long', () => {
	expect(matchLabel('!', ['?'])).toBeUndefined();
	expect(matchLabel('', ['?'])).toBeUndefined();
	const long = 'word '.repeat(101);
	expect(matchLabel(long, [long])).toBeUndefined();
});

it.each<[unknown, string | undefined]>([
	[null, undefined],
	['1 hour', undefined],
	[{ resumeAmount: 2 }, '2026-07-15T14:00:00.000Z'],
	[{ resumeUnit: 'minutes' }, '2026-07-15T12:01:00.000Z'],
	[{ limitType: 'atSpecifiedTime', maxDateAndTime: NOW + 1000 }, '2026-07-15T12:00:01.000Z'],
])('a wait with the limit %j ends at %s', (values, end) => {
	const limit = readWaitLimit(values, NOW, 'UTC');
	expect(limit && endOfWait(limit, NOW).toISOString()).toBe(end);
});

it.each([undefined, null, true, {}, [], { toISO: '2026-07-16T00:00:00Z' }])(
	'%j is no end of a wait',
	(maxDateAndTime) => {
		expect(() =>
			readWaitLimit({ limitType: 'atSpecifiedTime', maxDateAndTime }, NOW, 'UTC'),
		).toThrow(
			'"Max Date and Time" in "Limit Wait Time" is not a date. Choose one, or map one from the input.',
		);
	},
);

it('a wait does not end at the moment at which it begins', () => {
	const values = { limitType: 'atSpecifiedTime', maxDateAndTime: NOW };
	expect(() => readWaitLimit(values, NOW, 'UTC')).toThrow(
		'has already passed: 2026-07-15T12:00:00.000Z.',
	);
});

describe('the button to a page', () => {
	const settings = (messageButtonLabel: string, parameters: IDataObject = {}) => {
		const { linkAs } = parameters;
		const given = {
			...{ channelId: CHANNEL, recipient: '5511999990000', message: 'Ship it?' },
			...parameters,
			options: { messageButtonLabel, ...(linkAs === undefined ? {} : { linkAs }) },
		};
		return readSettings(askingContext(new FakeService(), { parameters: given }), NOW);
	};
	const long = 'A'.repeat(21);

	it('has its label without blanks around it, which must fit', () => {
		expect(settings(` ${'A'.repeat(20)} `)).toMatchObject({
			link: { label: 'A'.repeat(20), as: 'button' },
		});
		expect(() => settings(long)).toThrow(
			'"Message Button Label" has 21 characters. A button in the chat has room for 20. Enter a shorter text.',
		);
	});

	it("may be a link with a longer label, such as a form's", () => {
		expect(settings(long, { linkAs: 'text' })).toMatchObject({
			link: { label: long, as: 'text' },
		});
		expect(settings(` ${long} `, { responseType: 'freeText' })).toMatchObject({
			link: { label: ` ${long} `, as: 'text' },
		});
	});
});
