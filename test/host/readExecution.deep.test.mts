/**
 * Somebody who may read a waiting execution must not be able to reply with what its record shows.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { number } from './harness/conversations.mts';
import { type Host, hostUnderTest } from './harness/host.mts';
import {
	ask,
	type Customers,
	open,
	press,
	type Question,
	submit,
	openCustomers,
} from './harness/questions.mts';
import { readQuestion, readRecord, rewriteRecord } from './harness/records.mts';

const servers = hostUnderTest();
const [ana, ben] = [number(1), number(2)] as const;

let customers: Customers;
let host: Host;

beforeAll(async () => {
	customers = await openCustomers('Questions', [ana, ben]);
	({ host } = customers);
});

afterAll(async () => await host?.cleanUp());

const approval = {
	responseType: 'approval',
	approvalOptions: { values: { approvalType: 'double' } },
};
const form = { responseType: 'customForm', formFields: { values: [{ fieldLabel: 'Amount' }] } };
const isN8n2 = servers.generation === 'current';

/** Every signature in the record: n8n's resume token, and whatever looks like one. */
async function signaturesIn({ executionId }: Question): Promise<string[]> {
	const found =
		JSON.stringify(await readRecord(host, executionId)).match(
			/(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g,
		) ?? [];
	return [...new Set(found)];
}

/** Requests that anyone can make from the record alone. */
async function forgeries(
	question: Question,
	queries: Array<Record<string, string>>,
): Promise<string[]> {
	const { executionId, workflow } = question;
	const nodeId = workflow.nodes.find(({ name }) => name === 'Ask')?.id ?? '';
	const { id } = await readQuestion(host, executionId, 'Ask');
	const waiting = new URL(`/webhook-waiting/${executionId}`, servers.n8nUrl).href;
	const search = (query: Record<string, string>, signature: string) =>
		new URLSearchParams({ ...query, question: id, signature }).toString();
	return (await signaturesIn(question)).flatMap((signature) =>
		queries.flatMap((query) => [
			// n8n 2 finds the node by the signature, then checks only the token.
			`${waiting}?${search(query, `${signature}/${nodeId}`)}`,
			`${waiting}?signature=${signature}/${nodeId}&signature=${signature}&${search(query, signature)}`,
			`${waiting}/?${search(query, `${signature}/${nodeId}`)}`,
			`${waiting}?${search(query, signature)}`,
			`${waiting}/${nodeId}?${search(query, signature)}`,
			`${waiting}/${nodeId}?${search(query, `${signature}/${nodeId}`)}`,
		]),
	);
}

/** Tries them all. @returns the accepted ones, with their responses */
async function attempt(links: string[], fields?: Record<string, string>): Promise<string[]> {
	const through: string[] = [];
	for (const link of links) {
		for (const response of [
			await open(link),
			fields ? await submit(link, fields) : await open(link, { method: 'POST' }),
		]) {
			const isRefused =
				(response.status === 401 || response.status === 404) &&
				!response.body.includes('May we deliver');
			if (!isRefused) through.push(`${response.status} for ${link}`);
		}
	}
	return through;
}

test.each<[string, INodeParameters, IDataObject, string]>([
	['an approval', approval, { approved: false }, 'approved'],
	['a form', form, { Amount: 'Genuine' }, 'field-0'],
])(
	"refuses a reply to %s made from its execution's record, and takes its own link",
	async (...row) => {
		const [, parameters, genuine, field] = row;
		const question = await ask(customers, ana, parameters);
		const signatures = await signaturesIn(question);
		expect(signatures.length).toBeGreaterThanOrEqual(isN8n2 ? 1 : 0);
		if (isN8n2)
			expect(signatures).toContain((await readRecord(host, question.executionId)).resumeToken);
		const links = await forgeries(question, [{}, { [field]: 'true' }]);
		expect({
			through: await attempt(links, { [field]: 'true' }),
			status: await question.status(),
		}).toEqual({ through: [], status: 'waiting' });
		await submit(await question.link(), { [field]: String(Object.values(genuine)[0]) });
		expect((await question.outcome()).items).toMatchObject([
			{ data: { ...genuine, outcome: 'answered' } },
		]);
	},
);

const madeUp = '0'.repeat(64);

// n8n 1 makes no resume token, and then n8n 2 checks nothing.
test('takes only its own link in an execution without a resume token, as from n8n 1', async () => {
	const question = await ask(customers, ana, approval);
	const other = await ask(customers, ben, approval);
	const [link, othersLink] = [await question.link(), await other.link()];
	if (isN8n2)
		rewriteRecord(host, question.executionId, (text) => text.replace(/,"resumeToken":"\d+"/, ''));
	expect((await readRecord(host, question.executionId)).resumeToken).toBeUndefined();
	const changed = (change: (query: URLSearchParams) => void): string => {
		const url = new URL(link);
		change(url.searchParams);
		return url.href;
	};
	const othersSignature = new URL(othersLink).searchParams.get('signature') ?? '';
	const forged = [
		changed((query) => query.delete('signature')),
		changed((query) => query.set('signature', madeUp)),
		changed((query) => query.set('signature', othersSignature)),
		changed((query) => query.append('approved', 'true')),
		changed((query) => query.append('signature', madeUp)),
	];
	expect({
		through: await attempt(forged, { approved: 'true' }),
		status: await question.status(),
	}).toEqual({ through: [], status: 'waiting' });
	for (const one of [link, othersLink]) await press(one, false);
	for (const one of [question, other])
		expect((await one.outcome()).items).toMatchObject([
			{ data: { approved: false, outcome: 'answered' } },
		]);
});
