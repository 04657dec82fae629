/** Send and Wait in the chat, if the window is closed: a template asks. */
import type { IDataObject } from 'n8n-workflow';

import type { ApprovalInChat } from '../../nodes/BusinessMessaging/resources/message/sendAndWait/question.ts';
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

/** @param template undefined: the service lists none */
async function start(template: object | undefined, closedFor: readonly string[] = [COLLEAGUE]) {
	service = await startAsking();
	service.intercept = ({ method, path }) => {
		if (method !== 'GET' || path.includes('/webhooks')) return undefined;
		const [route] = path.split('?');
		if (template && route === '/chatapp/businesses')
			return { status: 200, body: [{ businessId: 'b1', name: 'Shop' }] };
		if (template && route === '/chatapp/businesses/b1/templates')
			return { status: 200, body: { data: [template] } };
		return { status: 404, body: { error: 404, message: 'Not found' } };
	};
	service.fail = ({ recipient, content }) =>
		content.type !== 'TEMPLATE' && closedFor.includes(recipient) ? 'refuse' : undefined;
}

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

it('asks for an approval, and keeps the titles that answer', async () => {
	await start(withQuickReplies('Yes', 'No'));
	const { error, question } = await ask();
	expect(error).toBeUndefined();
	expect(kinds()).toEqual(['INTERACTIVE_BUTTON', 'TEMPLATE']);
	expect((question as ApprovalInChat).titles).toEqual(['Yes', 'No']);
});

it('asks each approver by what their window allows', async () => {
	await start(withQuickReplies('Yes', 'No'));
	await ask({ approvers: [OTHER] });
	const ofOther = service.messages.filter(({ recipient }) => recipient === OTHER);
	expect(ofOther.map(({ content }) => content.type)).toEqual(['INTERACTIVE_BUTTON']);
	expect(kinds().sort()).toEqual(['INTERACTIVE_BUTTON', 'INTERACTIVE_BUTTON', 'TEMPLATE']);
});

it('keeps no titles if nobody got the template', async () => {
	await start(withQuickReplies('Yes', 'No'), []);
	const { question } = await ask();
	expect(kinds()).toEqual(['INTERACTIVE_BUTTON']);
	expect(question).not.toHaveProperty('titles');
});

it('asks with a template that cannot be read: only the words of the labels answer', async () => {
	await start(undefined);
	const { error, question } = await ask();
	expect(error).toBeUndefined();
	expect((question as ApprovalInChat).titles).toEqual([]);
});

it('refuses quick replies in the other order, because they would turn decisions round', async () => {
	await start(withQuickReplies('Decline', 'Yes'));
	expect((await ask()).error?.message).toMatch(/first quick reply of the template approves/);
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

it.each<[string, object | undefined]>([
	['a template', withQuickReplies('Monday')],
	['a template that cannot be read', undefined],
])('refuses %s that does not show a choice, before anything is sent', async (_which, template) => {
	await start(template);
	const { error } = await ask({ ...REPLY, fallbackBodyParameters: ['Monday?'] });
	expect(error?.message).toMatch(/The template does not show "Tuesday"/);
	expect(kinds()).toEqual([]);
});
