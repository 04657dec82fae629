/** The fields of the nodes: how many, in which order, and with which box above them. */
import type { INodeParameters, INodeProperties, INodeType } from 'n8n-workflow';

import { action, asks, namesOf, SENDING, shown, trigger } from './panel.mts';

const boxes = (node: INodeType, entered: INodeParameters) =>
	shown(node, entered).filter(({ type }) => type === 'notice');

/** Every operation, as the actions of n8n's nodes panel drop it. */
const actions = action.description.properties
	.filter(({ name }) => name === 'operation')
	.flatMap(({ displayOptions, options = [] }) =>
		options.map((option) => ({
			resource: String(displayOptions?.show?.resource?.[0]),
			operation: 'value' in option ? String(option.value) : '',
		})),
	);

/**
 * What one sees in a browser, apart from credential and notices: the resource and the operation,
 * too, and the fields of each entry that a collection begins with.
 */
const seen = (node: INodeType, entered: INodeParameters) =>
	shown(node, entered).flatMap((field) =>
		field.type === 'notice' ? [] : [field.name, ...entriesOf(field)],
	);

const entriesOf = ({ name, type, default: initial }: INodeProperties): string[] =>
	type === 'fixedCollection' || type === 'collection'
		? Object.values((initial ?? {}) as Record<string, unknown>).flatMap((entry) =>
				(Array.isArray(entry) ? entry : [entry]).flatMap((values: unknown) =>
					typeof values === 'object' ? Object.keys(values ?? {}) : [name],
				),
			)
		: Array.isArray(initial)
			? initial.map(() => name)
			: [];

/** What there is to fill in. The drop has chosen the resource and the operation. */
const toFillIn = (node: INodeType, entered: INodeParameters) =>
	namesOf(
		shown(node, entered).filter(
			({ name, type }) => type !== 'notice' && name !== 'resource' && name !== 'operation',
		),
	);

/**
 * n8n drops the value of a field that it does not show, and of a field that a nested one shows. So
 * what has a value of its own cannot wait out of sight.
 */
describe('at most 8 fields to fill in, before anything is chosen', () => {
	it.each(actions)('$resource, $operation', (dropped) => {
		const fields = seen(action, dropped);
		expect(fields.slice(0, 2)).toEqual(['resource', 'operation']);
		expect(fields.length).toBeGreaterThan(2);
		expect(fields.length - 2).toBeLessThanOrEqual(8);
	});

	it.each<[object, number]>([
		[asks('link', 'freeText'), 8],
		[asks('link', 'customForm'), 8],
		[{ resource: 'message', operation: 'sendButtons', buttonType: 'action' }, 9],
		[asks('chat', 'approval'), 10],
		[asks('chat', 'replyInChat'), 9],
	])('and with another choice: %j, %i', (entered, most) => {
		expect(seen(action, entered as INodeParameters).length - 2).toBeLessThanOrEqual(most);
	});

	it('the trigger', () => {
		const sources = [{}, { source: 'template' }, { registration: 'manual' }];
		for (const entered of sources) expect(toFillIn(trigger, entered).length).toBeLessThanOrEqual(8);
	});
});

describe('what everybody needs comes first', () => {
	it.each([
		['link', ['approval', 'freeText', 'customForm']],
		['chat', ['approval', 'replyInChat']],
	] as const)('what a person can reply with by %s', (askIn, offered) => {
		const [field, ...others] = shown(action, asks(askIn, 'approval')).filter(
			({ name }) => name === 'responseType',
		);
		expect(others).toEqual([]);
		expect(field).toMatchObject({ default: 'approval' });
		expect(field?.options?.map((option) => 'value' in option && option.value)).toEqual(offered);
	});
});

/** Characters in two lines of a box, as wide as the panel of a small window. */
const TWO_LINES = 115;

describe('one box', () => {
	it.each(SENDING)(
		'of two lines, first about the recipient to enter, then about what can be sent: %s',
		(operation) => {
			for (const [recipient, name, words] of [
				['', 'answerNotice', /^To answer.* sender\.identifier, [^.]+\.$/],
				['={{ $json.phone }}', 'windowNotice', /24 hours/],
			] as const) {
				const entered = { resource: 'message', operation, recipient };
				const names = namesOf(shown(action, entered));
				expect(names.slice(2, 5)).toEqual(['channelId', 'recipient', name]);
				const [box, ...others] = boxes(action, entered);
				expect(others).toEqual([]);
				expect(box?.displayName).toMatch(words);
				expect(box?.displayName.length).toBeLessThanOrEqual(TWO_LINES);
			}
		},
	);

	it.each([
		['a link', asks('link', 'approval'), false, false],
		['the chat', asks('chat', 'approval'), true, false],
		['a page', asks('link', 'freeText'), false, true],
		['a form', asks('link', 'customForm'), false, true],
		['a reply in the chat', asks('chat', 'replyInChat'), true, true],
	])(
		'for a question by %s, mentions the 24 hours, and the role only if needed',
		(_by, entered, needsRole, canAnswer) => {
			for (const recipient of ['', '={{ $json.phone }}']) {
				const [box, ...others] = boxes(action, { ...entered, recipient });
				expect(others).toEqual([]);
				// An approval is asked of colleagues, and answers nobody's message.
				const isToAnswer = canAnswer && recipient === '';
				expect(box?.displayName).toMatch(
					isToAnswer ? /^To answer.* sender\.identifier, / : /last 24 hours/,
				);
				expect(box?.displayName.length).toBeLessThanOrEqual(TWO_LINES);
				const names = namesOf(shown(action, { ...entered, recipient }));
				const last = names.includes('approvers') ? 'approvers' : 'recipient';
				expect(names.indexOf(box?.name ?? '')).toBe(names.indexOf(last) + 1);
				expect(box?.displayName.includes('ENTERPRISE')).toBe(needsRole);
			}
		},
	);

	it.each([
		['a channel', {}, /ENTERPRISE role$/],
		['frequent events', { channelEvents: ['MESSAGE_STATUS'] }, /ENTERPRISE role\. Each message/],
		['templates', { source: 'template' }, /ENTERPRISE role\. .*5 minutes\.$/],
		['by hand', { registration: 'manual' }, /^Before you publish/],
		['by hand, templates', { registration: 'manual', source: 'template' }, /^Before you publish/],
	])('at the trigger: %s', (_what, entered, words) => {
		expect(boxes(trigger, entered).map(({ displayName }) => displayName)).toEqual([
			expect.stringMatching(words),
		]);
	});

	it.each(['getAll', 'create', 'update', 'delete'])('at webhooks: %s', (operation) => {
		for (const resource of ['webhook', 'templateWebhook']) {
			const [box, ...others] = boxes(action, { resource, operation });
			expect(others).toEqual([]);
			expect(box?.displayName).toMatch(/^Only accounts with the ENTERPRISE role/);
		}
	});
});

/** Characters that a line of the list of events has room for. */
const EVENT_LINE = 80;

/** Characters of a placeholder that a field shows in a panel of 400 pixels. */
const PLACEHOLDER_MAX = 40;

test('no placeholder is cut', () => {
	const within = (value: unknown): string[] =>
		Array.isArray(value)
			? value.flatMap(within)
			: typeof value === 'object' && value !== null
				? Object.entries(value).flatMap(([name, inner]) =>
						name === 'placeholder' && typeof inner === 'string' ? [inner] : within(inner),
					)
				: [];
	const placeholders = [action, trigger].flatMap(({ description }) => within(description));
	expect(placeholders.length).toBeGreaterThan(20);
	expect(placeholders.filter(({ length }) => length > PLACEHOLDER_MAX)).toEqual([]);
});

test('no field that n8n fills by itself is required, because n8n 2 stores none and then refuses to publish', () => {
	const required = [action, trigger]
		.flatMap(({ description }) => description.properties)
		.filter((field) => field.required && typeof field.default === 'string');
	expect(required.length).toBeGreaterThan(10);
	expect(namesOf(required.filter((field) => field.default !== ''))).toEqual([]);
});

test("the hint for n8n's assistants names operations that there are", () => {
	const { searchHint = '', relatedNodes } = action.description.builderHint ?? {};
	const named = searchHint.match(/\bsend[A-Z]\w+/g) ?? [];
	expect(named).toEqual(['sendTemplate', 'sendAndWait']);
	expect(actions.map(({ operation }) => operation)).toEqual(expect.arrayContaining(named));
	expect(relatedNodes?.[0]?.nodeType).toBe(
		`n8n-nodes-business-messaging.${trigger.description.name}`,
	);
});

test('shows the code of every event in its description, and no name twice', () => {
	for (const name of ['channelEvents', 'templateEvents']) {
		const options = trigger.description.properties.find((field) => field.name === name)?.options;
		const events = (options ?? []) as Array<{ name: string; value: string; description: string }>;
		expect(events.length).toBeGreaterThan(1);
		for (const { value, description } of events) expect(description).toContain(`(${value})`);
		// Each says when to take it, in a line.
		if (name === 'channelEvents')
			for (const { description } of events) {
				expect(description).toMatch(/^To /);
				expect(description.length).toBeLessThanOrEqual(EVENT_LINE);
			}
		expect(new Set(events.map((event) => event.name)).size).toBe(events.length);
	}
});
