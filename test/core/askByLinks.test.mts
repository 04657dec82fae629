/** What *Send and Wait* sends and keeps when it asks by links, in n8n's own engine; and that the links answer. */
import type { IDataObject, INode } from 'n8n-workflow';
import { WAIT_INDEFINITELY } from 'n8n-workflow';

import { until } from '../../scripts/until.mts';
import { asking, type Asking, startAsking } from './harness/asking.mts';
import { logged } from './harness/logged.mts';
import { receive } from './harness/replies.mts';

const [ANA, BEN, CLEO] = ['1', '2', '3'].map((end) => `551199999000${end}`) as [
	string,
	string,
	string,
];
const PERSON = 'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0';

let service: Asking;
beforeEach(async () => {
	service = await startAsking();
});
afterEach(async () => {
	jest.restoreAllMocks();
	await service.close();
});

const ask = async (parameters: IDataObject = {}, settings: Partial<INode> = {}) =>
	await asking(service, { recipient: ANA, message: 'Ship it?', ...parameters }, settings);
const approvers = { approvers: [BEN, CLEO] };
const double = { approvalOptions: { values: { approvalType: 'double' } } };

/** Whom each message went to, and the links in it by their labels. */
function linksSent(): Array<{ to: string; links: Record<string, string> }> {
	return service.messages.map(({ recipient, text }) => ({
		to: recipient,
		links: Object.fromEntries(
			[...text.matchAll(/^(.+): (http\S+)$/gm)].map(([, label = '', url = '']) => [label, url]),
		),
	}));
}

/** Opens a link and presses its button. */
async function press(question: Parameters<typeof receive>[0], url: string | undefined) {
	const query = Object.fromEntries(new URL(url ?? '').searchParams);
	return await receive(question, service.url, {
		method: 'POST',
		query,
		headers: { 'user-agent': PERSON },
	});
}

it('sends the question with a link for each reply, and waits for ever', async () => {
	const { run, items, question } = await ask(double);
	expect(service.messages).toMatchObject([
		{
			recipient: ANA,
			text: expect.stringMatching(/^Ship it\?\n\nApprove: http\S+\n\nDecline: http\S+$/),
		},
	]);
	expect([run.status, run.waitTill]).toEqual(['waiting', WAIT_INDEFINITELY]);
	expect(items).toEqual([{ json: { data: { outcome: 'waiting' } }, pairedItem: { item: 0 } }]);
	expect(question).toEqual({
		kind: 'approval',
		id: expect.any(String),
		message: 'Ship it?',
		answeredText: expect.any(String),
		approveLabel: 'Approve',
		disapproveLabel: 'Decline',
		links: [expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/^[0-9a-f]{64}$/)],
	});
});

it.each([
	['Approve', true],
	['Decline', false],
])('is answered by its link "%s"', async (label, approved) => {
	const { question } = await ask(double);
	const [{ links } = { links: {} as Record<string, string> }] = linksSent();
	expect((await press(question, links[label])).item).toMatchObject({ data: { approved } });
	const { status } = await press(
		question,
		links[label]?.replace(/signature=.{4}/, 'signature=0000'),
	);
	expect(status).toBe(401);
});

it('keeps no link that would answer, and gives each question links of its own', async () => {
	const [first, second] = [await ask(), await ask()];
	expect(first.question.id).not.toBe(second.question.id);
	for (const { links } of linksSent())
		for (const url of Object.values(links))
			expect(first.record + second.record).not.toContain(
				new URL(url).searchParams.get('signature'),
			);
});

it('of one button sends no link to decline', async () => {
	await ask();
	expect(linksSent()).toEqual([{ to: ANA, links: { Approve: expect.any(String) } }]);
});

it.each(['freeText', 'customForm'])(
	'sends the link to a form, behind its label: %s',
	async (kind) => {
		const { question } = await ask({
			responseType: kind,
			formFields: { values: [{ fieldLabel: 'Your answer', requiredField: true }] },
			options: { messageButtonLabel: 'Fill in' },
		});
		const [{ links } = { links: {} as Record<string, string> }] = linksSent();
		expect(Object.keys(links)).toEqual(['Fill in']);
		expect(question).toMatchObject({ kind, links: [expect.any(String)] });
		expect((await press(question, links['Fill in'])).status).toBe(422);
	},
);

it('waits as long as the option says', async () => {
	const before = Date.now();
	const { run } = await ask({
		options: {
			limitWaitTime: {
				values: { limitType: 'afterTimeInterval', resumeAmount: 2, resumeUnit: 'hours' },
			},
		},
	});
	const waits = new Date(run.waitTill ?? 0).getTime() - before;
	expect(waits).toBeGreaterThanOrEqual(2 * 3_600_000);
	expect(waits).toBeLessThan(2 * 3_600_000 + 60_000);
});

it.each<[string, IDataObject]>([
	['approval', { approved: false }],
	['freeText', { text: null }],
	['customForm', {}],
])(
	'leaves for the end of its time what comes out then, and nothing of its input: %s',
	async (responseType, data) => {
		const { run } = await ask({
			responseType,
			formFields: { values: [{ fieldLabel: 'Name' }] },
		});
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
	it('sends each links of their own, which tell who answered', async () => {
		const { question } = await ask({ ...approvers, options: { tellOthers: '' } });
		const sent = linksSent();
		expect(sent.map(({ to }) => to).sort()).toEqual([ANA, BEN, CLEO]);
		expect(question).toMatchObject({
			links: [expect.any(String), expect.any(String), expect.any(String)],
			several: { people: { 0: ANA, 1: BEN, 2: CLEO }, tellOthers: '' },
		});
		const ofBen = sent.find(({ to }) => to === BEN);
		expect((await press(question, ofBen?.links.Approve)).item).toMatchObject({
			data: { approved: true, responder: { identifier: BEN, name: null } },
		});
	});

	it('tells the others who answered and what, once the answer is taken', async () => {
		const { question } = await ask({ ...approvers, ...double });
		const ofBen = linksSent().find(({ to }) => to === BEN);
		service.messages.length = 0;
		await press(question, ofBen?.links.Decline);
		await until('both others to be told', () => service.messages.length === 2, 5000);
		expect(service.messages.map(({ recipient, text }) => [recipient, text]).toSorted()).toEqual([
			[ANA, `${BEN} answered: Decline`],
			[CLEO, `${BEN} answered: Decline`],
		]);
	});

	it('goes on without whom it certainly could not reach, says so, and takes no answer from them', async () => {
		service.fail = ({ recipient }) => (recipient === BEN ? 'refuse' : undefined);
		const said = logged('warn');
		const { run, hints, question } = await ask(approvers);
		// The log names nobody.
		expect(said).toEqual([
			[
				'Asked 2 of 3 people. Could not send the text: the 24-hour conversation window is closed.',
				{ workflowId: 'workflow', node: 'Business Messaging' },
			],
		]);
		expect(run.status).toBe('waiting');
		expect(hints).toEqual([
			{
				message: `Asked 2 of 3 people. ${BEN}: Could not send the text: the 24-hour conversation window is closed.`,
				location: 'outputPane',
			},
		]);
		expect(question).toMatchObject({ several: { people: { 0: ANA, 2: CLEO } } });
		const ofBen = linksSent().find(({ to }) => to === BEN);
		expect((await press(question, ofBen?.links.Approve)).status).toBe(401);
	});

	it('takes an answer from whom it may have reached', async () => {
		service.fail = ({ recipient }) => (recipient === BEN ? 'cut' : undefined);
		const { question } = await ask({ ...approvers, options: { tellOthers: '' } });
		const ofBen = linksSent().find(({ to }) => to === BEN);
		expect((await press(question, ofBen?.links.Approve)).item).toMatchObject({
			data: { responder: { identifier: BEN } },
		});
	});

	it('fails when nobody was certainly asked, first of all with what may have been sent', async () => {
		service.fail = ({ recipient }) => (recipient === CLEO ? 'cut' : 'refuse');
		const { run, error, question } = await ask(approvers);
		expect(run.status).toBe('error');
		expect(error?.message).toMatch(/^Could not tell whether the text was sent/);
		expect(question).toBeUndefined();
	});
});

it('gives the failure as an item under On Error, and waits for nothing', async () => {
	service.fail = () => 'refuse';
	const { run, items, question } = await ask({}, { onError: 'continueRegularOutput' });
	expect([run.status, run.waitTill, question]).toEqual(['success', undefined, undefined]);
	expect(items).toMatchObject([
		{
			json: { error: 'Could not send the text: the 24-hour conversation window is closed' },
			pairedItem: { item: 0 },
		},
	]);
});
