/** Decisions on pages that come while another one is in progress. */
import { hashOfLink } from '#nodes/resources/message/sendAndWait/links.ts';
import type { ApprovalQuestion } from '#nodes/resources/message/sendAndWait/kinds/approval.ts';
import { receiveReply } from '#nodes/resources/message/sendAndWait/receiveReply.ts';
import { hostClock } from '#nodes/shared/tools/clock.ts';
import { until } from '#scripts/until.mts';
import { CHANNEL, URL_SIGNATURE } from '../../support/constants.mts';
import { FakeResponse } from '../../support/fakeResponse.mts';
import { answeringContext, FakeService } from './fakes.mts';

const [ANA, BEN] = ['5511900000001', '5511900000002'];

describe('a decision while another one is in progress', () => {
	let service: FakeService;
	let id = '';
	let asked = 0;
	beforeEach(() => {
		service = new FakeService();
		id = `question-${++asked}`;
	});
	afterEach(() => jest.restoreAllMocks());

	const people = { 0: ANA, 1: BEN };
	const several = { channelId: CHANNEL, people, tellOthers: '{name}: {answer}' };
	/** The page of an approver was submitted. n8n has not responded yet. */
	const press = async (approver: string, approved: string) => {
		const links = ['0', '1'].map((one) => hashOfLink(id, URL_SIGNATURE, one));
		const response = new FakeResponse();
		const question: ApprovalQuestion = {
			kind: 'approval',
			id,
			message: 'Which?',
			answeredText: 'Thanks',
			approveLabel: 'Approve',
			disapproveLabel: 'Decline',
			links,
			several,
		};
		const query = { signature: URL_SIGNATURE, approver };
		const request = { query, data: { approved } };
		const context = answeringContext(service, question, request, response);
		const { workflowData, webhookResponse } = await receiveReply(context);
		return { response, goesOn: workflowData !== undefined, page: webhookResponse as unknown };
	};

	it('gets no thanks if that takes seconds, and can be sent again', async () => {
		await press('0', 'true');
		const sleep = jest.spyOn(hostClock, 'sleep').mockResolvedValue();
		const second = await press('1', 'false');
		expect(second.goesOn).toBe(false);
		expect(second.response).toMatchObject({
			statusCode: 503,
			body: expect.stringContaining(
				'Your answer was not recorded. Another answer is being recorded right now.',
			) as string,
		});
		expect(second.response.headers['retry-after']).toBe('5');
		expect(sleep.mock.calls).toEqual(Array.from({ length: 30 }, () => [100]));
	});

	it('waits for the end of the first one, and goes on if that was not stored', async () => {
		const first = await press('0', 'true');
		const second = press('1', 'false');
		first.response.end(500);
		expect(await second).toMatchObject({ goesOn: true });
	});

	it('waits for the end of the first one, and finds the question closed if that was stored', async () => {
		const first = await press('0', 'true');
		const second = press('1', 'false');
		first.response.end(200);
		const { goesOn, response } = await second;
		expect([goesOn, response.statusCode]).toEqual([false, 200]);
		expect(response.body).toContain('This question is closed.');
		expect(response.body).not.toContain('Thanks');
	});

	it('gets thanks if it is the same one, as from a double click', async () => {
		const first = await press('0', 'true');
		const second = press('0', 'true');
		first.response.end(200);
		expect((await second).response.body).toContain('Thanks');
	});

	it("is told to the others even if the first approver's phone dropped the connection", async () => {
		const { response } = await press('0', 'true');
		response.close();
		await new Promise(setImmediate);
		expect(service.messages).toEqual([]);
		response.end(200);
		await until('the other to be told', () => service.messages.length > 0, 2000);
		expect(service.messages).toEqual([[BEN, `${ANA}: Approve`]]);
	});

	it('is told to nobody if it was not stored', async () => {
		const { response } = await press('0', 'true');
		response.close();
		response.end(500);
		await until('it to be answered again', async () => (await press('1', 'true')).goesOn, 5000);
		expect(service.messages).toEqual([]);
	});
});
