import { until } from '../../scripts/until.mts';
import { number } from './harness/conversations.mts';
import { ACTION, type Host } from './harness/host.mts';
import {
	ask,
	askParameters,
	type Customers,
	open,
	PREVIEW,
	Question,
	startAsking,
	submit,
	textsTo,
	waiting,
	openCustomers,
} from './harness/questions.mts';

const [ana, ben] = [number(1), number(2)] as const;

let customers: Customers;
let host: Host;

beforeAll(async () => {
	customers = await openCustomers('Questions', [ana, ben]);
	({ host } = customers);
});

afterAll(async () => await host?.cleanUp());

const double = {
	responseType: 'approval',
	approvalOptions: {
		values: { approvalType: 'double', approveLabel: 'Yes, please', disapproveLabel: 'No' },
	},
};
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as unknown;

test('approval: a link for each reply; opening it, as a person or a program, gives none, and the button does, once', async () => {
	const question = await ask(customers, ana, double);
	const [text = ''] = (await question.sent()).slice(-1);
	const [yes = '', no = ''] = await question.links();
	expect(text).toBe(`May we deliver on Tuesday?\n\nYes, please: ${yes}\n\nNo: ${no}`);

	for (const link of [yes, no]) {
		for (const agent of [PREVIEW, 'facebookexternalhit/1.1', '']) {
			expect(await open(link, { agent })).toMatchObject({
				status: 200,
				body: expect.not.stringContaining('May we deliver') as string,
			});
			await open(link, { agent, method: 'POST' });
		}
		await open(link, { method: 'HEAD' });
	}
	const page = await open(yes, {});
	expect(page.body).toMatch(
		/May we deliver on Tuesday\?.*<form method="post"><button type="submit">Yes, please<\/button>/s,
	);
	expect(page.headers.get('content-type')).toMatch(/^text\/html/);
	expect(await question.status()).toBe('waiting');

	const pages = await Promise.all([open(yes, { method: 'POST' }), open(yes, { method: 'POST' })]);
	for (const { body } of pages) expect(body).toContain('Your answer was recorded');
	expect(await question.outcome()).toEqual({
		status: 'success',
		items: [{ data: { approved: true, outcome: 'answered', respondedAt: time } }],
	});
	await open(no, { method: 'POST' });
	expect((await question.finished()).resultData.runData.After).toHaveLength(1);
});

describe('approval from version 1.1 of the node on', () => {
	const newest = { typeVersion: 1.1 };
	const choose = async (link: string, approved: string) => await submit(link, { approved });

	test('one button opens a page with both replies; nothing but a press on one of them gives it, once', async () => {
		const question = await ask(customers, ana, double, newest);
		const { text, title, url } = await question.linkButton();
		expect({ text, title }).toEqual({ text: 'May we deliver on Tuesday?', title: 'Respond' });

		for (const agent of [PREVIEW, 'facebookexternalhit/1.1', '']) {
			expect(await open(url, { agent })).toMatchObject({
				status: 200,
				body: expect.not.stringContaining('May we deliver') as string,
			});
			const body = new FormData();
			body.append('approved', 'true');
			await open(url, { agent, method: 'POST', body });
		}
		await open(url, { method: 'HEAD' });
		expect((await open(url)).body).toMatch(
			/May we deliver on Tuesday\?.*value="true">Yes, please<\/button>.*value="false">No<\/button>/s,
		);
		for (const link of [`${url}&approved=true`, `${url}&approved=false`]) {
			expect((await open(link)).status).toBe(401);
			expect((await choose(link, 'true')).status).toBe(401);
		}
		for (const wrong of ['', 'yes', 'TRUE'])
			expect(await choose(url, wrong)).toMatchObject({
				status: 422,
				body: expect.stringContaining('>Yes, please</button>') as string,
			});
		expect((await open(url, { method: 'POST' })).status).toBe(422);
		expect(await question.status()).toBe('waiting');

		const pages = await Promise.all([choose(url, 'false'), choose(url, 'false')]);
		for (const { body } of pages) expect(body).toContain('Your answer was recorded');
		expect(await question.outcome()).toEqual({
			status: 'success',
			items: [{ data: { approved: false, outcome: 'answered', respondedAt: time } }],
		});
		await choose(url, 'true');
		expect((await question.finished()).resultData.runData.After).toHaveLength(1);
	});

	test('the button has a label of its own, and fits; as text, the address stands in the message', async () => {
		const labelled = await ask(
			customers,
			ana,
			{ responseType: 'approval', options: { messageButtonLabel: 'Responder' } },
			newest,
		);
		const button = await labelled.linkButton();
		expect(button.title).toBe('Responder');
		expect((await choose(button.url, 'false')).status).toBe(422);
		await choose(button.url, 'true');
		expect((await labelled.outcome()).items).toMatchObject([{ data: { approved: true } }]);

		const options = { messageButtonLabel: 'Say what you think', linkAs: 'text' };
		const asText = await ask(customers, ana, { ...double, options }, newest);
		const [link = '', ...more] = await asText.links();
		expect(more).toEqual([]);
		expect((await asText.sent()).at(-1)).toBe(
			`May we deliver on Tuesday?\n\nSay what you think: ${link}`,
		);
		await choose(link, 'true');
		expect((await asText.outcome()).items).toMatchObject([{ data: { approved: true } }]);

		const before = await textsTo(customers, ana);
		const long = { ...double, options: { messageButtonLabel: 'Tell us what you think' } };
		const { executionId } = await startAsking(customers, ana, long, newest);
		const { resultData } = await host.client.finishedExecution(executionId);
		expect(resultData.error?.message).toContain('"Message Button Label" has 22 characters');
		expect(await textsTo(customers, ana)).toEqual(before);
	});

	test('each approver has a link of their own, which says who answered', async () => {
		const question = await ask(customers, ana, { ...double, approvers: [ben] }, newest);
		const [ofAna, ofBen] = [await question.linkButton(), await question.linkButton(ben)];
		const forged = ofAna.url.replace('approver=0', 'approver=1');
		expect(forged).not.toBe(ofAna.url);
		expect((await choose(forged, 'true')).status).toBe(401);
		await choose(ofBen.url, 'false');
		expect((await question.outcome()).items).toMatchObject([
			{ data: { approved: false, responder: { identifier: ben, name: null } } },
		]);
		await until(
			'the other to be told',
			async () => (await textsTo(customers, ana)).at(-1) === `${ben} answered: No`,
			30_000,
		);
	});
});

test('refusal', async () => {
	const question = await ask(customers, ana, double);
	const [, no = ''] = await question.links();
	expect((await open(no)).body).toContain('>No</button>');
	await open(no, { method: 'POST' });
	expect(await question.outcome()).toEqual({
		status: 'success',
		items: [{ data: { approved: false, outcome: 'answered', respondedAt: time } }],
	});
});

test('free text', async () => {
	const question = await ask(customers, ben, {
		responseType: 'freeText',
		options: { responseFormTitle: 'Delivery', messageButtonLabel: 'Answer here' },
	});
	const [link = ''] = await question.links();
	expect((await question.sent()).at(-1)).toBe(`May we deliver on Tuesday?\n\nAnswer here: ${link}`);
	expect((await open(link)).body).toMatch(/<h1>Delivery<\/h1>.*<textarea/s);
	expect(await submit(link, { 'field-0': ' ' })).toMatchObject({
		status: 422,
		body: expect.stringContaining('Please fill in this field.') as string,
	});
	expect((await submit(link, { 'field-0': 'Yes, <b>after</b> 3' })).body).toContain(
		'Your answer was recorded',
	);
	expect((await question.outcome()).items).toEqual([
		{ data: { text: 'Yes, <b>after</b> 3', outcome: 'answered', respondedAt: time } },
	]);
});

const formFields = {
	values: [
		{ fieldLabel: 'Name', fieldType: 'text', requiredField: true },
		{ fieldLabel: 'Visitors', fieldType: 'number' },
		{
			fieldLabel: 'Day',
			fieldType: 'dropdown',
			requiredField: true,
			fieldOptions: { values: [{ option: 'Monday' }, { option: 'Tuesday' }] },
		},
		{
			fieldLabel: 'Extras',
			fieldType: 'checkbox',
			fieldOptions: { values: [{ option: 'Coffee' }, { option: 'Cake "to go"' }] },
		},
	],
};

test('custom form: what is wrong is said on the page and kept there, and only a right form goes on', async () => {
	const question = await ask(customers, ben, { responseType: 'customForm', formFields });
	const [link = ''] = await question.links();
	const wrong = await submit(link, {
		'field-0': 'Ben & Co',
		'field-1': 'two',
		'field-2': 'Sunday',
	});
	expect(wrong.status).toBe(422);
	expect(wrong.body).toMatch(
		/value="Ben &amp; Co".*Please enter a number.*Please choose from the list/s,
	);
	expect(await question.status()).toBe('waiting');
	await submit(link, {
		'field-0': 'Ben & Co',
		'field-1': '2',
		'field-2': 'Tuesday',
		'field-3': ['Coffee', 'Cake "to go"'],
	});
	const replies = {
		Name: 'Ben & Co',
		Visitors: 2,
		Day: 'Tuesday',
		Extras: ['Coffee', 'Cake "to go"'],
	};
	expect((await question.outcome()).items).toEqual([
		{ data: { ...replies, outcome: 'answered', respondedAt: time } },
	]);
});

test('a form that cannot be built fails the node, and nothing is sent', async () => {
	const before = (await textsTo(customers, ben)).length;
	const { executionId } = await startAsking(customers, ben, {
		responseType: 'customForm',
		defineForm: 'json',
		jsonOutput: '[{"fieldLabel": "Photo", "fieldType": "file"}]',
	});
	const { resultData } = await host.client.finishedExecution(executionId);
	expect(resultData.error?.message).toMatch(/"Form Elements" cannot be used: element 1, fieldType/);
	expect(await textsTo(customers, ben)).toHaveLength(before);
});

test('forged resume requests resume nothing', async () => {
	const question = await ask(customers, ana, double);
	const other = await ask(customers, ben, double);
	const [yes = '', no = ''] = await question.links();
	const [othersYes = ''] = await other.links();
	const forged = (change: (url: URL) => void) => {
		const url = new URL(yes);
		change(url);
		return url.href;
	};
	const signatureOf = (link: string) => new URL(link).searchParams.get('signature') ?? '';
	const links = [
		forged((url) => url.searchParams.delete('signature')),
		forged((url) => (url.search = '')),
		forged((url) => url.searchParams.set('signature', '0'.repeat(64))),
		forged((url) => url.searchParams.set('signature', signatureOf(yes).slice(1))),
		forged((url) => url.searchParams.set('signature', signatureOf(no))),
		forged((url) => url.searchParams.set('signature', signatureOf(othersYes))),
		forged((url) => url.searchParams.set('approved', 'false')),
		forged((url) => url.searchParams.append('more', '1')),
		forged((url) => (url.pathname = url.pathname.replace(/[^/]+$/, ''))),
	];
	for (const link of links) {
		for (const method of ['GET', 'POST', 'HEAD', 'PUT']) {
			const { status, body } = await open(link, { method });
			expect({ link, method, status, shows: body.includes('May we deliver') }).toEqual({
				link,
				method,
				status: expect.any(Number) as number,
				shows: false,
			});
			if (method === 'POST') expect(status).toBe(401);
		}
	}
	expect(await question.status()).toBe('waiting');
	expect(await other.status()).toBe('waiting');
	for (const link of [yes, othersYes]) await open(link, { method: 'POST' });
	for (const { outcome } of [question, other].map((each) => ({ outcome: each.outcome() })))
		expect((await outcome).items).toHaveLength(1);
	// A replay.
	await open(yes, { method: 'POST' });
	expect((await question.finished()).resultData.runData.After).toHaveLength(1);
});

test('in a loop, the link of an earlier question gives no reply to a later one', async () => {
	const start = { ...host.node('Start', 'n8n-nodes-base.manualTrigger', {}), credentials: {} };
	const first = host.node('Ask', ACTION, askParameters(customers.channelId, ana, double));
	const again = {
		...host.node('Once More', 'n8n-nodes-base.if', {
			conditions: {
				options: { version: 2, typeValidation: 'loose' },
				combinator: 'and',
				conditions: [
					{
						leftValue: '={{ $runIndex }}',
						rightValue: 1,
						operator: { type: 'number', operation: 'lt' },
					},
				],
			},
		}),
		typeVersion: 2.2,
		credentials: {},
	};
	const workflow = await host.createWorkflow('A loop', [start, first, again]);
	workflow.connections['Once More'] = { main: [[{ node: 'Ask', type: 'main', index: 0 }], []] };
	const stored = await host.client.updateWorkflow(workflow);
	const executionId = (await host.client.runManually(stored, 'Start')) ?? '';
	await waiting(host, executionId);
	const question = new Question(customers, stored, executionId, ana);
	const [earlier = ''] = await question.links();
	await open(earlier, { method: 'POST' });
	await until('the second question', async () => (await question.links())[0] !== earlier, 30_000);
	await waiting(host, executionId);
	expect((await open(earlier, { method: 'POST' })).body).toContain('closed');
	expect(await question.status()).toBe('waiting');
	const [, later = ''] = await question.links();
	await open(later, { method: 'POST' });
	const { resultData } = await question.finished();
	expect(
		resultData.runData.Ask?.map(
			({ data }) => (data?.main[0]?.[0]?.json.data as { approved: boolean }).approved,
		),
	).toEqual([true, false]);
});
