import type { IExecuteFunctions } from 'n8n-workflow';

import { SendingHours } from '../../../sending/sendingHours';
import { cutText } from '../../../service/cutText';
import { asPlainObject } from '../../../service/parseJson';
import { choicesField, fixedCollectionField, textField } from '../../../shared/node/fields';
import { sentenceCase } from '../../../shared/texts/words';

const DAYS = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'];
const WEEK = [...DAYS.slice(1), ...DAYS.slice(0, 1)];

const DEFAULTS = { from: '09:00', to: '20:00', days: WEEK, timezone: '' };

export const sendingHoursField = fixedCollectionField('Sending Hours', 'sendingHours', {
	default: { hours: DEFAULTS },
	description:
		'When messages may leave. At other times an item fails unsent, and its details.retryAt says when they open. Set On Error to Continue.',
	options: [
		{
			displayName: 'Hours',
			name: 'hours',
			values: [
				textField('From', 'from', { default: DEFAULTS.from, placeholder: 'e.g. 09:00' }),
				textField('To', 'to', {
					default: DEFAULTS.to,
					placeholder: 'e.g. 20:00',
					description: 'No message leaves from this time on',
				}),
				choicesField('Days', 'days', {
					options: Object.fromEntries(WEEK.map((day) => [day, sentenceCase(day)])),
					default: WEEK,
				}),
				textField('Timezone', 'timezone', {
					placeholder: 'e.g. America/Sao_Paulo',
					description:
						"An area and a city, or UTC. If it is empty, the workflow's timezone counts.",
				}),
			],
		},
	],
});

/**
 * Reads the option.
 * @param given the options of the first item
 * @returns the hours of an item, because its zone can be its own. Undefined: they are not added
 * @throws Error that names the field
 */
export function readSendingHours(
	context: IExecuteFunctions,
	given: Record<string, unknown>,
): ((index: number) => SendingHours) | undefined {
	if (given.sendingHours === undefined) return undefined;
	const { from, to, days } = { ...DEFAULTS, ...hoursIn(given) };
	const hours = { from: minutesOf(from, 'From'), to: minutesOf(to, 'To'), days: daysOf(days) };
	if (hours.to <= hours.from)
		throw new Error(
			'"To" of "Sending Hours" must be after "From". For hours past midnight, use two nodes.',
		);
	const entered = hoursIn(asPlainObject(context.getNode().parameters.options)).timezone ?? '';
	const isOwn = entered === '';
	const path = 'options.sendingHours.hours.timezone';
	const byZone = new Map<string, SendingHours>();
	return (index) => {
		const given = isOwn ? context.getTimezone() : context.getNodeParameter(path, index, '');
		const zone = typeof given === 'string' ? given.trim() : '';
		const made = byZone.get(zone) ?? zoned(hours, zone, isOwn);
		byZone.set(zone, made);
		return made;
	};
}

const hoursIn = (options: Record<string, unknown>): Record<string, unknown> =>
	asPlainObject(asPlainObject(options.sendingHours).hours);

function zoned(hours: ConstructorParameters<typeof SendingHours>[0], zone: string, isOwn: boolean) {
	try {
		// An abbreviation is the zone of somebody else, too: BST is Dhaka's.
		if (isOwn || zone.includes('/') || zone === 'UTC') return new SendingHours(hours, zone);
	} catch {
		// There is no such zone.
	}
	throw new Error(
		isOwn
			? `The workflow's timezone, "${cutText(zone, 64)}", does not exist. Choose another in the workflow's settings.`
			: `"Timezone" of "Sending Hours" is "${cutText(zone, 64)}". Enter an area and a city, such as America/Sao_Paulo, or UTC.`,
	);
}

function minutesOf(value: unknown, label: string): number {
	const text = typeof value === 'string' ? value.trim() : '';
	const [, hour, minute] = /^(\d\d?):(\d\d)$/.exec(text) ?? [];
	const minutes = Number(hour) * 60 + Number(minute);
	if (Number(minute) < 60 && minutes <= 24 * 60) return minutes;
	throw new Error(
		`"${label}" of "Sending Hours" is "${cutText(text, 64)}". Enter a time such as 09:00.`,
	);
}

function daysOf(value: unknown): Set<number> {
	const given: unknown[] = Array.isArray(value) ? value : [];
	const days = new Set(given.map((day) => DAYS.indexOf(String(day))));
	if (days.size > 0 && !days.has(-1)) return days;
	throw new Error(
		'"Days" of "Sending Hours" must have at least one day of the week, and no other.',
	);
}
