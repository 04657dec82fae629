/** Send and Wait in the chat, if the window is closed: a template asks. */
import type { IDataObject } from 'n8n-workflow';

import type { Question } from '#nodes/resources/message/sendAndWait/kinds/index.ts';
import type { SendContent } from '#nodes/service/contract/contents.ts';
import { componentsIn } from '#nodes/service/sentTemplate.ts';
import { listed } from '../unit/service/template/samples.mts';
import { type Asking, asking, startAsking } from './harness/asking.mts';

const COLLEAGUE = '5500000000101';
const OTHER = '5500000000102';

let service: Asking;
afterEach(async () => await service.close());

const withQuickReplies = (...titles: string[]) =>
	listed(
		[
			{ type: 'BODY', text: 'A decision is needed: {{1}}' },
			{ type: 'BUTTONS', buttons: titles.map((text) => ({ type: 'QUICK_REPLY', text })) },
		],
		{ name: 'decision' },
	);

/**
 * @param template undefined: the service lists none
 * @param afterwards once a message was sent
 */
async function start(
	template: object | undefined,
	closedFor: readonly string[] = [COLLEAGUE],
	afterwards = () => template,
) {
	service = await startAsking();
	service.intercept = ({ method, path }) => {
		if (method !== 'GET' || path.includes('/webhooks')) return undefined;
		const [route] = path.split('?');
		if (template && route === '/chatapp/businesses')
			return { status: 200, body: [{ businessId: 'b1', name: 'Shop' }] };
		if (template && route === '/chatapp/businesses/b1/templates')
			return {
				status: 200,
				body: { data: [service.messages.length > 0 ? afterwards() : template] },
			};
		return { status: 404, body: { error: 404, message: 'Not found' } };
	};
	service.fail = ({ recipient, content }) =>
		content.type !== 'TEMPLATE' && closedFor.includes(recipient) ? 'refuse' : undefined;
}

/** A component that the user gives to a button of the template. */
const component = (type: string, index: number, parameter: object) => ({
	fallbackAdditionalComponents: JSON.stringify([
		{ type: 'button', sub_type: type, index, parameters: [parameter] },
	]),
});

const ask = async (fields: IDataObject = {}) =>
	await asking(service, {
		askIn: 'chat',
		recipient: COLLEAGUE,
		message: 'Refund order 1042?',
		approvalOptions: { values: { approvalType: 'double', approveLabel: 'Yes' } },
		whenWindowClosed: 'sendTemplate',
		fallbackTemplate: { __rl: true, mode: 'name', value: 'decision' },
		fallbackBodyParameters: ['Refund order 1042?'],
		...fields,
	});
const kinds = () => service.messages.map(({ content }) => content.type);

/** What the template gave to its quick replies, by their place. */
const payloads = () =>
	service.messages
		.filter(({ content }) => content.type === 'TEMPLATE')
		.flatMap(({ content }) => componentsIn(content as SendContent))
		.filter(({ sub_type: subType }) => subType === 'quick_reply')
		.map(({ index, parameters }) => [index, (parameters as IDataObject[])[0]]);
const payload = (question: Question, choice: number) => ({
	type: 'payload',
	payload: `n8n-question:${question.id}:t${choice}`,
});

it.each([
	['in the order of the labels', ['Yes', 'Decline'], [1, 2]],
	['in the other order', ['decline', '*Yes*'], [2, 1]],
])('asks for an approval with quick replies %s, each with its own ID', async (_how, titles, by) => {
	await start(withQuickReplies(...titles, 'Later'));
	const { error, question } = await ask();
	expect(error).toBeUndefined();
	expect(kinds()).toEqual(['INTERACTIVE_BUTTON', 'TEMPLATE']);
	expect(payloads()).toEqual([
		[0, payload(question, by[0]!)],
		[1, payload(question, by[1]!)],
	]);
	expect(question).toMatchObject({ messageIds: ['0'.repeat(32)] });
});

it("counts a quick reply's place among all buttons, and keeps the template's order", async () => {
	const buttons = [
		{ type: 'QUICK_REPLY', text: 'Decline' },
		{ type: 'URL', text: 'Open', url: 'https://example.com/{{1}}' },
		{ type: 'QUICK_REPLY', text: 'Yes' },
	];
	const body = { type: 'BODY', text: 'A decision is needed: {{1}}' };
	await start(listed([body, { type: 'BUTTONS', buttons }], { name: 'decision' }));
	const { error, question } = await ask(component('url', 1, { type: 'text', text: '7' }));
	expect(error).toBeUndefined();
	expect(payloads()).toEqual([
		[0, payload(question, 2)],
		[2, payload(question, 1)],
	]);
	const sent = componentsIn(service.messages.at(-1)!.content as SendContent);
	expect(sent.map(({ type, index }) => [type, index])).toEqual([
		['body', undefined],
		['button', 0],
		['button', 1],
		['button', 2],
	]);
});

it.each<[string, string[], object | undefined, number]>([
	['of a label', ['Yes', 'Decline'], undefined, 1],
	['of a template that cannot be read', [], {}, 0],
])(
	'refuses a payload that the user gave to a quick reply %s',
	async (_which, titles, unread, at) => {
		await start(unread ? undefined : withQuickReplies(...titles));
		const own = { type: 'payload', payload: 'approve-refund' };
		const { error } = await ask(component('quick_reply', at, own));
		expect(error?.message).toMatch(new RegExp(`^Button ${at + 1} .*of the template has a payload`));
		expect(kinds()).toEqual([]);
		expect(service.requests.filter(({ method }) => method === 'POST')).toEqual([]);
	},
);

it('leaves the payload of a quick reply that names no label', async () => {
	await start(withQuickReplies('Yes', 'Decline', 'Later'));
	const later = { type: 'payload', payload: 'later' };
	const { error } = await ask(component('quick_reply', 2, later));
	expect(error).toBeUndefined();
	expect(payloads().at(-1)).toEqual([2, later]);
});

it('sends the template as it is when it leaves, and counts who cannot be asked by it as not asked', async () => {
	// Read once before anything is sent.
	const swapped = withQuickReplies('Decline', 'Yes');
	await start(withQuickReplies('Yes', 'Decline'), [COLLEAGUE], () => swapped);
	const { error, question } = await ask();
	expect(error).toBeUndefined();
	expect(payloads()).toEqual([
		[0, payload(question, 2)],
		[1, payload(question, 1)],
	]);
	expect(question).toMatchObject({ templateTitles: [['Yes', 'Decline']] });
	await service.close();
	await start(withQuickReplies('Yes', 'Decline'), [COLLEAGUE], () => withQuickReplies('Sure'));
	const without = await ask();
	expect(without.error?.message).toMatch(/no quick reply "Yes", "Decline"/);
	expect(kinds()).toEqual(['INTERACTIVE_BUTTON']);
});

it('asks each approver by what their window allows', async () => {
	await start(withQuickReplies('Yes', 'Decline'));
	await ask({ approvers: [OTHER] });
	const ofOther = service.messages.filter(({ recipient }) => recipient === OTHER);
	expect(ofOther.map(({ content }) => content.type)).toEqual(['INTERACTIVE_BUTTON']);
	expect(kinds().sort()).toEqual(['INTERACTIVE_BUTTON', 'INTERACTIVE_BUTTON', 'TEMPLATE']);
});

it('asks with a template that cannot be read, without payloads: a tap on it makes it ask again', async () => {
	await start(undefined);
	const { error } = await ask();
	expect(error).toBeUndefined();
	expect(payloads()).toEqual([]);
});

it.each([
	['has none of them', ['Sure', 'No'], /no quick reply "Yes", "Decline".*are "Sure", "No"/],
	['has one of them', ['Yes', 'No'], /no quick reply "Decline".*are "Yes", "No": enter them in/],
	['has no quick replies', [], /no quick reply "Yes", "Decline"\. It has no quick replies at all/],
])('refuses labels before anything is sent if the template %s', async (_what, titles, words) => {
	await start(withQuickReplies(...titles));
	expect((await ask()).error?.message).toMatch(words);
	expect(kinds()).toEqual([]);
	expect(service.requests.filter(({ method }) => method === 'POST')).toEqual([]);
});

const REPLY = {
	responseType: 'replyInChat',
	choices: { values: [{ choice: 'Monday' }, { choice: 'Tuesday' }] },
};

it.each<[string, object | undefined, string]>([
	['its quick replies', withQuickReplies('Monday', 'Tuesday'), 'Which day?'],
	['the value of a variable', withQuickReplies(), '1. Monday, 2. Tuesday'],
	['the value, though it cannot be read', undefined, 'Monday or Tuesday?'],
])('asks for a choice that is in %s', async (_where, template, value) => {
	await start(template);
	const { error } = await ask({ ...REPLY, fallbackBodyParameters: [value] });
	expect(error).toBeUndefined();
	expect(kinds().at(-1)).toBe('TEMPLATE');
});

it('gives the IDs of the choices to the quick replies that name them', async () => {
	await start(withQuickReplies('Other', 'Tuesday', 'Monday'));
	const { question } = await ask({ ...REPLY, fallbackBodyParameters: ['Which day?'] });
	expect(payloads()).toEqual([
		[1, payload(question, 2)],
		[2, payload(question, 1)],
	]);
});

it.each<[string, object | undefined]>([
	['a template', withQuickReplies('Monday')],
	['a template that cannot be read', undefined],
])('refuses %s that does not show a choice, before anything is sent', async (_which, template) => {
	await start(template);
	const { error } = await ask({ ...REPLY, fallbackBodyParameters: ['Monday?'] });
	expect(error?.message).toMatch(/The template does not show "Tuesday"/);
	expect(kinds()).toEqual([]);
});
