/** How a question knows its links, case by case. */
import { createHash } from 'node:crypto';

import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { hashOfLink, isGenuine, makeLink } from '#nodes/resources/message/sendAndWait/links.ts';
import type { ApprovalQuestion } from '#nodes/resources/message/sendAndWait/kinds/approval.ts';
import { readQuestion } from '#nodes/resources/message/sendAndWait/kinds/index.ts';
import { signedUrl } from './fakes.mts';

const question: ApprovalQuestion = {
	kind: 'approval',
	id: 'q1',
	message: 'Ship it?',
	answeredText: '',
	approveLabel: 'Approve',
	links: [],
};

/** Whether a request with this query is accepted for a question with these links. */
const isTaken = (query: object, links: string[]) =>
	isGenuine({ getQueryData: () => query } as unknown as IWebhookFunctions, { ...question, links });
/** A link as `makeLink` sends it: its query, and the stored hash. */
const linkOf = (approver?: string) => {
	const context = { getSignedResumeUrl: signedUrl } as unknown as IExecuteFunctions;
	const { url, hash } = makeLink(context, 'q1', approver);
	return { query: Object.fromEntries(new URL(url).searchParams), hash };
};

test('refuses a URL that n8n did not sign', () => {
	const context = {
		getSignedResumeUrl: () => 'https://n8n.example.com/webhook-waiting/42?question=q1',
	} as unknown as IExecuteFunctions;
	expect(() => makeLink(context, 'q1')).toThrow('n8n gave a resume URL without a signature.');
});

test('stores a hash of the link and of its recipient', () => {
	const hashed = (said: unknown[]) =>
		createHash('sha256')
			.update(`n8n business messaging link v1\n${JSON.stringify(said)}`)
			.digest('hex');
	expect(hashOfLink('q1', 'a')).toBe(hashed(['q1', null, 'a']));
	expect(hashOfLink('q1', 'a', '2')).toBe(hashed(['q1', null, 'a', '2']));
});

test.each([undefined, '0', '1'])('accepts the link that was sent, to approver %j', (approver) => {
	const { query, hash } = linkOf(approver);
	expect(isTaken(query, [hash])).toBe(true);
	expect(isTaken({ ...query, signature: 'a' }, [hash])).toBe(false);
	expect(isTaken(query, [])).toBe(false);
	expect(isTaken({ ...query, approver: '2' }, [hash])).toBe(false);
});

test('refuses a link with anything added, or with lists in place of texts', () => {
	const { query, hash } = linkOf('1');
	expect(isTaken({ ...query, approved: 'true' }, [hash])).toBe(false);
	expect(isTaken({ ...query, approved: '' }, [hash])).toBe(false);
	expect(isTaken({ ...query, approver: ['1'] }, [hash])).toBe(false);
	const signature = ['a'] as unknown as string;
	expect(isTaken({ signature }, [hashOfLink('q1', signature)])).toBe(false);
});

test.each([undefined, '', 7, null, '{}', '{"kind":"approval"}'])(
	'an execution that stored %j has no question',
	(kept) => {
		const context = { getNode: () => ({ name: 'Ask' }), evaluateExpression: () => kept };
		expect(readQuestion(context as unknown as IWebhookFunctions)).toBeUndefined();
	},
);
