/** Whoever may read an execution that waits for a reply: what stands in its record must not pass for the reply. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { number } from './harness/conversations.mts';
import { type Host, hostUnderTest } from './harness/host.mts';
import {
	ask,
	type Customers,
	noWebhooks,
	open,
	type Question,
	reply,
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

/** Every signature that the record offers: n8n's resume token, and whatever else looks like one. */
async function signaturesIn({ executionId }: Question): Promise<string[]> {
	const found =
		JSON.stringify(await readRecord(host, executionId)).match(
			/(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g,
		) ?? [];
	return [...new Set(found)];
}

/** Requests that the record alone makes possible. */
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
			// n8n 2 takes the way to the node from the signature, and then checks the token alone.
			`${waiting}?${search(query, `${signature}/${nodeId}`)}`,
			`${waiting}?signature=${signature}/${nodeId}&signature=${signature}&${search(query, signature)}`,
			`${waiting}/?${search(query, `${signature}/${nodeId}`)}`,
			`${waiting}?${search(query, signature)}`,
			`${waiting}/${nodeId}?${search(query, signature)}`,
			`${waiting}/${nodeId}?${search(query, `${signature}/${nodeId}`)}`,
		]),
	);
}

/** Tries them all. @returns those that were not refused, with what they got */
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

type Fields = Record<string, string>;

describe.each<
	[
		kind: string,
		parameters: INodeParameters,
		queries: Fields[],
		forged: Fields | undefined,
		genuine: IDataObject,
		fields: Fields | undefined,
	]
>([
	[
		'an approval',
		approval,
		[{ approved: 'true' }, { approved: 'false' }],
		undefined,
		{ approved: true },
		undefined,
	],
	[
		'an approval on one page',
		{ ...approval, options: { linkAs: 'text' } },
		[{}, { approved: 'true' }],
		{ approved: 'true' },
		{ approved: false },
		{ approved: 'false' },
	],
	[
		'a free text',
		{ responseType: 'freeText' },
		[{}],
		{ 'field-0': 'Forged' },
		{ text: 'Genuine' },
		{ 'field-0': 'Genuine' },
	],
	['a form', form, [{}], { 'field-0': 'Forged' }, { Amount: 'Genuine' }, { 'field-0': 'Genuine' }],
])('%s', (kind, parameters, queries, forged, genuine, fields) => {
	test('takes no reply made of what its execution shows, and takes its own link', async () => {
		const typeVersion = kind === 'an approval on one page' ? 1.1 : 1;
		const question = await ask(customers, ana, parameters, { typeVersion });
		const signatures = await signaturesIn(question);
		expect(signatures.length).toBeGreaterThanOrEqual(isN8n2 ? 1 : 0);
		if (isN8n2)
			expect(signatures).toContain((await readRecord(host, question.executionId)).resumeToken);
		expect({
			through: await attempt(await forgeries(question, queries), forged),
			status: await question.status(),
		}).toEqual({ through: [], status: 'waiting' });
		const [link = ''] = await question.links();
		await (fields ? submit(link, fields) : open(link, { method: 'POST' }));
		expect((await question.outcome()).items).toMatchObject([
			{ data: { ...genuine, outcome: 'answered' } },
		]);
	});
});

test('a question in the chat takes no reply made of what its execution shows, and takes the message', async () => {
	const question = await ask(customers, ana, { responseType: 'replyInChat' });
	expect(await attempt(await forgeries(question, [{}]))).toEqual([]);
	expect(await question.status()).toBe('waiting');
	await reply(customers, ana, 'On Monday');
	expect((await question.outcome()).items).toMatchObject([
		{ data: { text: 'On Monday', outcome: 'answered' } },
	]);
	await noWebhooks(customers);
});

/** The record as version 0.1.0 wrote it. */
const withoutHashes = (text: string) => text.replace(/,\\"links\\":\[[^\]]*\]/, '');
const madeUp = '0'.repeat(64);

/** The question's own links, changed. */
const changed = (links: string[], change: (url: URL, other: URL) => void): string[] =>
	links.map((link, index) => {
		const url = new URL(link);
		change(url, new URL(links[1 - index] ?? link));
		return url.href;
	});

describe('a question that the version before asked, which kept no hash of its links,', () => {
	test('takes no reply made of what its execution shows, nor the signature of the other link, and takes its own', async () => {
		const question = await ask(customers, ana, approval);
		const links = await question.links();
		rewriteRecord(host, question.executionId, withoutHashes);
		expect((await readQuestion(host, question.executionId, 'Ask')).links).toBeUndefined();
		const swapped = changed(links, (url, other) =>
			url.searchParams.set('signature', other.searchParams.get('signature') ?? ''),
		);
		const forged = [
			...(await forgeries(question, [{ approved: 'true' }, { approved: 'false' }])),
			...swapped,
		];
		expect({ through: await attempt(forged), status: await question.status() }).toEqual({
			through: [],
			status: 'waiting',
		});
		await open(links[0] ?? '', { method: 'POST' });
		expect((await question.outcome()).items).toMatchObject([
			{ data: { approved: true, outcome: 'answered' } },
		]);
	});

	test('goes on with the reply, when it was asked in the chat', async () => {
		const question = await ask(customers, ben, { responseType: 'replyInChat' });
		rewriteRecord(host, question.executionId, withoutHashes);
		expect({
			through: await attempt(await forgeries(question, [{}])),
			status: await question.status(),
		}).toEqual({ through: [], status: 'waiting' });
		await reply(customers, ben, 'On Monday');
		expect((await question.outcome()).items).toMatchObject([
			{ data: { text: 'On Monday', outcome: 'answered' } },
		]);
		await noWebhooks(customers);
	});
});

// n8n 1 makes no resume token, and n8n 2 then checks nothing.
describe.each([
	['with hashes', (text: string) => text],
	['without', withoutHashes],
])(
	'an execution that has no resume token, as n8n 2 finds those that n8n 1 began, %s',
	(_name, more) => {
		test('takes its own link alone', async () => {
			const question = await ask(customers, ana, approval);
			const links = await question.links();
			if (isN8n2)
				rewriteRecord(host, question.executionId, (text) =>
					more(text.replace(/,"resumeToken":"\d+"/, '')),
				);
			expect((await readRecord(host, question.executionId)).resumeToken).toBeUndefined();
			const forged = [
				...changed(links, (url) => url.searchParams.delete('signature')),
				...changed(links, (url) => url.searchParams.set('signature', madeUp)),
				...changed(links, (url, other) =>
					url.searchParams.set('signature', other.searchParams.get('signature') ?? ''),
				),
				...changed(links, (url) => url.searchParams.append('approved', 'true')),
				...changed(links, (url) => url.searchParams.append('signature', madeUp)),
			];
			expect({ through: await attempt(forged), status: await question.status() }).toEqual({
				through: [],
				status: 'waiting',
			});
			await open(links[1] ?? '', { method: 'POST' });
			expect((await question.outcome()).items).toMatchObject([
				{ data: { approved: false, outcome: 'answered' } },
			]);
		});
	},
);
