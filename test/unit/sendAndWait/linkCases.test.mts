/** What a link of a question is known by, case by case. */
import { createHash } from 'node:crypto';

import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import {
	hashOfLink,
	isGenuine,
	makeLink,
} from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/links.ts';
import {
	type ApprovalQuestion,
	peopleOf,
	readQuestion,
	type ReplyQuestion,
} from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/question.ts';
import { signedUrl } from './fakes.mts';

const question: ApprovalQuestion = {
	kind: 'approval',
	id: 'q1',
	message: 'Ship it?',
	answeredText: '',
	approveLabel: 'Approve',
};

/** Whether a request with this query is taken; of a question of version 0.1.0 unless hashes are given. */
const isTaken = (query: object, links?: string[]) =>
	isGenuine(
		{ getQueryData: () => query, getSignedResumeUrl: signedUrl } as unknown as IWebhookFunctions,
		{ ...question, ...(links ? { links } : {}) },
	);
const queryOf = (says: Record<string, string>) =>
	Object.fromEntries(new URL(signedUrl({ ...says, question: 'q1' })).searchParams);

test('a URL that n8n did not sign is no link', () => {
	const context = {
		getSignedResumeUrl: () => 'https://n8n.example.com/webhook-waiting/42?question=q1',
	} as unknown as IExecuteFunctions;
	expect(() => makeLink(context, 'q1')).toThrow('n8n gave a resume URL without a signature.');
});

test('a link is kept as versions before keep it, unless it says who was asked', () => {
	const hashed = (said: unknown[]) =>
		createHash('sha256')
			.update(`n8n business messaging link v1\n${JSON.stringify(said)}`)
			.digest('hex');
	expect(hashOfLink('q1', {}, 'a')).toBe(hashed(['q1', null, 'a']));
	expect(hashOfLink('q1', { approved: 'true' }, 'a')).toBe(hashed(['q1', 'true', 'a']));
	expect(hashOfLink('q1', { approver: '2' }, 'a')).toBe(hashed(['q1', null, 'a', '2']));
});

test.each<Record<string, string>>([
	{},
	{ approved: 'true' },
	{ approved: 'false', approver: '1' },
	{ approver: '0' },
])('a link of version 0.1.0, which kept none, is taken as n8n signs it: %j', (says) => {
	expect(isTaken(queryOf(says))).toBe(true);
	expect(isTaken({ ...queryOf(says), signature: 'a' })).toBe(false);
});

test('what is a text in a link is nothing else, though it reads the same', () => {
	const approved = queryOf({ approved: 'true' });
	const ofApprover = queryOf({ approver: '1' });
	expect(isTaken({ ...approved, approved: ['true'] })).toBe(false);
	expect(isTaken({ ...ofApprover, approver: ['1'] })).toBe(false);
	expect(isTaken({ ...approved, approved: ['true'], approver: ['1'] })).toBe(false);
	const signature = ['a'] as unknown as string;
	expect(isTaken({ signature }, [hashOfLink('q1', {}, signature)])).toBe(false);
});

test.each([undefined, '', 7, null, '{}', '{"kind":"approval"}'])(
	'an execution that kept %j waits with no question',
	(kept) => {
		const context = { getNode: () => ({ name: 'Ask' }), evaluateExpression: () => kept };
		expect(readQuestion(context as unknown as IWebhookFunctions)).toBeUndefined();
	},
);

test('who was asked alone is all who were asked', () => {
	expect(peopleOf({ recipient: 'Ana' } as ReplyQuestion)).toEqual(['Ana']);
});
