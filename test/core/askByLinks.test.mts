/**
 * What *Send and Wait* sends and keeps when it asks by links, and that the links work. In n8n's own
 * engine.
 */
import { type IDataObject, type INode, WAIT_INDEFINITELY } from 'n8n-workflow';

import { CHANNEL } from '../support/constants.mts';
import { asking, askingOfEachTest, PAGE } from './harness/asking.mts';
import { logged } from './harness/logged.mts';
import { receive } from './harness/replies.mts';

const [ANA, BEN, CLEO] = ['1', '2', '3'].map((end) => `551199999000${end}`) as [
	string,
	string,
	string,
];

const service = askingOfEachTest();

const ask = async (parameters: IDataObject = {}, settings: Partial<INode> = {}) =>
	await asking(service, { recipient: ANA, message: 'Ship it?', ...parameters }, settings);
const approvers = { approvers: [BEN, CLEO] };
const double = { approvalOptions: { values: { approvalType: 'double' } } };
const HASH = expect.stringMatching(/^[0-9a-f]{64}$/) as string;

type Links = Record<string, string>;

/** Each message's recipient, and its links by their labels: its lines and its buttons. */
function linksSent(): Array<{ to: string; links: Links }> {
	return service.messages.map(({ recipient, text, content }) => {
		const lines = [...text.matchAll(/^(.+): (http\S+)$/gm)].map(([, label, url]) => [label, url]);
		const buttons = (content.attachments ?? []) as Array<{ title: string; url: string }>;
		return {
			to: recipient,
			links: Object.fromEntries([
				...lines,
				...buttons.map(({ title, url }) => [title, url]),
			]) as Links,
		};
	});
}

/** Opens a link and presses a button of its page, which sends the input. */
async function press(
	question: Parameters<typeof receive>[0],
	url: string | undefined,
	data: IDataObject = {},
) {
	const query = Object.fromEntries(new URL(url ?? '').searchParams);
	return await receive(question, service.url, { method: 'POST', query, body: { data } });
}

/** Opens an approval's link and presses one of its two buttons. */
const answer = async (question: Parameters<typeof receive>[0], links: Links, approved: boolean) =>
	await press(question, links.Respond, { approved: String(approved) });

it('sends the question with its link, and waits for ever', async () => {
	const { run, items, question } = await ask(double);
	expect(service.messages).toMatchObject([{ recipient: ANA }]);
	expect(service.messages[0]?.content).toEqual({
		type: 'INTERACTIVE_ACTION',
		body: { message: 'Ship it?' },
		attachments: [
			{ id: '1', name: 'URL', title: 'Respond', url: expect.stringMatching(/^http\S+$/) },
		],
	});
	expect([run.status, run.waitTill]).toEqual(['waiting', WAIT_INDEFINITELY]);
	expect(items).toEqual([{ json: { data: { outcome: 'waiting' } }, pairedItem: { item: 0 } }]);
	expect(question).toEqual({
		kind: 'approval',
		id: expect.any(String),
		message: 'Ship it?',
		answeredText: expect.any(String),
		approveLabel: 'Approve',
		disapproveLabel: 'Decline',
		links: [HASH],
	});
});

it('stores no usable link, and gives each question links of its own', async () => {
	const [first, second] = [await ask(), await ask({ ...double, ...approvers })];
	expect(first.question.id).not.toBe(second.question.id);
	const urls = linksSent().flatMap(({ links }) => Object.values(links));
	const signatures = urls.map((url) => new URL(url).searchParams.get('signature'));
	expect(new Set(signatures).size).toBe(4);
	for (const signature of signatures) expect(first.record + second.record).not.toContain(signature);
});

it('shows no link of an approver whose message failed, even if the service repeats it', async () => {
	const said = logged('warn');
	service.fail = ({ recipient, content }) => {
		const repeated = JSON.stringify(content).replaceAll('=', '\\u003d');
		const body = { error: 500, message: `Gateway failed for ${repeated}` };
		return recipient === BEN ? { status: 500, body } : undefined;
	};
	const { record, hints } = await ask({ approvers: [BEN] });
	const told = record + JSON.stringify([hints, said]);
	expect(told).toContain('Gateway failed for');
	expect(said).toHaveLength(1);
	for (const { links } of linksSent())
		for (const url of Object.values(links))
			expect(told).not.toContain(new URL(url).searchParams.get('signature'));
});

it('with one button takes no decline', async () => {
	const { question } = await ask();
	const [{ links } = { links: {} as Links }] = linksSent();
	expect(Object.keys(links)).toEqual(['Respond']);
	expect(await answer(question, links, false)).toMatchObject({ item: undefined, status: 422 });
	expect((await answer(question, links, true)).item).toMatchObject({ data: { approved: true } });
});

it('sends its link as a line if the option says so', async () => {
	const { question } = await ask({ ...double, options: { linkAs: 'text' } });
	expect(service.messages).toMatchObject([
		{ content: { type: 'TEXT' }, text: expect.stringMatching(/^Ship it\?\n\nRespond: http\S+$/) },
	]);
	const [{ links } = { links: {} as Links }] = linksSent();
	expect((await press(question, links.Respond, { approved: 'false' })).item).toMatchObject({
		data: { approved: false },
	});
});

it.each(['freeText', 'customForm'])(
	'sends the link to a form behind its label: %s',
	async (kind) => {
		const { question } = await ask({
			responseType: kind,
			formFields: { values: [{ fieldLabel: 'Your answer', requiredField: true }] },
			options: { messageButtonLabel: 'Fill in' },
		});
		const [{ links } = { links: {} as Links }] = linksSent();
		expect(Object.keys(links)).toEqual(['Fill in']);
		expect(question).toMatchObject({ kind, links: [expect.any(String)] });
		expect((await press(question, links['Fill in'])).status).toBe(422);
	},
);

it.each<[string, IDataObject]>([
	['approval', { approved: false }],
	['freeText', { text: null }],
	['customForm', {}],
])(
	'leaves the outcome for its time limit, and nothing of its input: %s',
	async (responseType, data) => {
		const { run } = await ask({ responseType, formFields: { values: [{ fieldLabel: 'Name' }] } });
		expect(run.data.executionData?.nodeExecutionStack[0]?.data.main).toEqual([
			[
				{
					json: { data: { ...data, outcome: 'timedOut', respondedAt: null } },
					pairedItem: { item: 0 },
				},
			],
		]);
	},
);

describe('to several people', () => {
	it('sends each person links of their own, which tell who decided', async () => {
		const { question } = await ask({ ...approvers, options: { tellOthers: '' } });
		const sent = linksSent();
		expect(sent.map(({ to }) => to).sort()).toEqual([ANA, BEN, CLEO]);
		expect(question).toMatchObject({
			links: [expect.any(String), expect.any(String), expect.any(String)],
			several: { people: { 0: ANA, 1: BEN, 2: CLEO }, tellOthers: '' },
		});
		const ofBen = sent.find(({ to }) => to === BEN);
		expect((await answer(question, ofBen?.links ?? {}, true)).item).toMatchObject({
			data: { approved: true, responder: { identifier: BEN, name: null } },
		});
	});

	it('goes on without people it certainly could not reach, says so, and takes no decision from them', async () => {
		service.fail = ({ recipient }) => (recipient === BEN ? 'refuse' : undefined);
		const said = logged('warn');
		const { run, hints, question } = await ask(approvers);
		// The log names nobody.
		expect(said).toEqual([
			[
				`Asked 2 of 3 people. Could not send the buttons: the 24-hour conversation window is closed.`,
				{ workflowId: 'workflow', node: 'Business Messaging' },
			],
		]);
		expect(run.status).toBe('waiting');
		expect(hints).toEqual([
			{
				message: `Asked 2 of 3 people. ${BEN}: Could not send the buttons: the 24-hour conversation window is closed.`,
				location: 'outputPane',
			},
		]);
		expect(question).toHaveProperty('several.people', { 0: ANA, 2: CLEO });
		const ofBen = linksSent().find(({ to }) => to === BEN);
		expect((await answer(question, ofBen?.links ?? {}, true)).status).toBe(401);
	});

	it.each(['cut', PAGE] as const)(
		'takes a decision from people it may have reached: %j',
		async (how) => {
			service.fail = ({ recipient }) => (recipient === BEN ? how : undefined);
			const { question } = await ask({ ...approvers, options: { tellOthers: '' } });
			const ofBen = linksSent().find(({ to }) => to === BEN);
			expect((await answer(question, ofBen?.links ?? {}, true)).item).toMatchObject({
				data: { responder: { identifier: BEN } },
			});
		},
	);

	it.each([
		['cut', PAGE, /^Could not tell whether the buttons were sent to CLEO: the connection was lost/],
		[PAGE, 'refuse', /^Could not send the buttons to CLEO: .*Forbidden/],
	] as const)(
		'fails if it asked nobody for certain, with the likeliest first: %j',
		async (of, others, words) => {
			service.fail = ({ recipient }) => (recipient === CLEO ? of : others);
			const { run, error, question } = await ask(approvers);
			expect(run.status).toBe('error');
			expect(error?.message.replace(CLEO, 'CLEO')).toMatch(words);
			expect(question).toBeUndefined();
		},
	);
});

it("says in one sentence why somebody was not asked, with the service's own full stop or one of ours", async () => {
	service.fail = ({ recipient }) => (recipient === BEN ? { words: 'Not now.' } : undefined);
	const { hints } = await ask(approvers);
	expect(hints).toMatchObject([
		{ message: `Asked 2 of 3 people. ${BEN}: Could not send the buttons: Not now.` },
	]);
});

it('gives the failure as an item under On Error, and does not wait', async () => {
	service.fail = () => 'refuse';
	const { run, items, question } = await ask({}, { onError: 'continueRegularOutput' });
	expect([run.status, run.waitTill, question]).toEqual(['success', undefined, undefined]);
	expect(items).toMatchObject([
		{
			json: {
				error: `Could not send the buttons to ${ANA}: the 24-hour conversation window is closed`,
				recipient: ANA,
				channelId: CHANNEL,
				// A link has no template to send in its place.
				details: { hint: expect.not.stringContaining('When the Window Is Closed') as string },
			},
			pairedItem: { item: 0 },
		},
	]);
});
