import * as api from '#nodes/service/channels.ts';
import type { ServiceClient, ServiceRequest } from '#nodes/service/client.ts';
import type { Channel } from '#nodes/service/contract/channels.ts';
import { type FailureReason, ServiceError } from '#nodes/service/errors/index.ts';

/** What the service answers: a list, or something else. */
interface Page {
	total?: number;
	totalPage?: number;
	page?: number;
	content?: Channel[];
}

const refused = (status?: number, reason: FailureReason = 'rejected') => {
	const failure = { reason, effect: 'none', cause: 'no', hint: '' } as const;
	return new ServiceError('list the channels', {
		...failure,
		...(status === undefined ? {} : { status }),
	});
};
/** A channel for each letter. */
const channels = (letters = ''): Channel[] => Array.from(letters, (id) => ({ id, name: id }));

/** A client whose service answers by the number of the page. */
function serviceWith(answer: (page: number) => Page | Error | boolean) {
	const asked: Array<ServiceRequest<unknown>> = [];
	const request = async (wanted: ServiceRequest<unknown>) => {
		asked.push(wanted);
		const given = answer(Number(wanted.query?.page));
		if (given instanceof Error) throw given;
		return given;
	};
	return {
		client: { baseUrl: 'https://api.example.com', request } as ServiceClient,
		asked,
		pages: () => asked.map(({ query }) => query?.page),
	};
}

async function idsOf(client: ServiceClient, filter?: api.ChannelFilter): Promise<string[]> {
	const ids: string[] = [];
	for await (const { id } of api.listChannels(client, filter)) ids.push(id);
	return ids;
}

type Answer = (page: number) => Page | Error;
const pagesOf =
	(more: Page, ...contents: string[]): Answer =>
	(page) => ({ ...more, content: channels(contents[page]) });

/** The channels of each list in order, and the pages that are requested of it. */
test.each<[string, Answer, string, number[]]>([
	['until it has the total', pagesOf({ total: 3, totalPage: 9 }, 'AB', 'C', 'D'), 'ABC', [0, 1]],
	['once, without channels', pagesOf({ total: 0, totalPage: 0 }), '', [0]],
	[
		'again, unless page 1 came for page 0',
		(page) => ({
			...{ total: 3, totalPage: 3, page: Math.max(1, page) },
			content: channels(['A', 'A', 'B', 'C'][page]),
		}),
		'ABC',
		[0, 2, 3],
	],
	[
		'once each, if the first is 0 and has the number 1',
		(page) => ({
			...{ total: 4, totalPage: 4, page: page + 1 },
			content: channels(['A', 'B', 'C', 'D'][page]),
		}),
		'ACDB',
		[0, 2, 3, 4, 1],
	],
	[
		'up to the last, if numbered from 1 and empty',
		(page) => ({ total: 9, totalPage: 2, page: page + 1, content: [] }),
		'',
		[0, 2, 1],
	],
	[
		'to an end, if the total is too high',
		pagesOf({ total: 100, totalPage: 50 }, 'A'),
		'A',
		[0, 1, 2],
	],
	['beyond a low number of pages', pagesOf({ total: 100, totalPage: 1 }, 'A', 'B'), 'AB', [0, 1]],
	[
		'beyond one with nothing new',
		pagesOf({ total: 3, totalPage: 9 }, 'A', 'A', 'B', '', 'C'),
		'ABC',
		[0, 1, 2, 3, 4],
	],
])('requests pages %s', async (_what, answer, ids, asked) => {
	const { client, pages } = serviceWith(answer);
	expect(await idsOf(client)).toEqual([...ids]);
	expect(pages()).toEqual(asked);
});

test.each([400, 422])('asks a service from page 1 if it refuses page 0 with %d', async (status) => {
	const listed = pagesOf({ total: 2, totalPage: 2 }, '', 'A', 'B');
	const { client, pages } = serviceWith((page) => (page === 0 ? refused(status) : listed(page)));
	expect(await idsOf(client)).toEqual(['A', 'B']);
	expect(pages()).toEqual([0, 1, 2]);
});

test.each([401, 404, 500, undefined])(
	'fails for a list that fails with %p, and does not ask again',
	async (status) => {
		const { client, pages } = serviceWith(() => refused(status));
		await expect(idsOf(client)).rejects.toThrow('Could not list the channels');
		expect(pages()).toEqual([0]);
		const broken = serviceWith(() => new TypeError('broken'));
		await expect(idsOf(broken.client)).rejects.toThrow('broken');
		expect(broken.pages()).toEqual([0]);
	},
);

test.each<[number, FailureReason]>([
	[422, 'role_required'],
	[400, 'unauthorized'],
	[400, 'address_not_allowed'],
])('does not repeat the request after a %d for another reason: %s', async (status, reason) => {
	const { client, pages } = serviceWith(() => refused(status, reason));
	await expect(idsOf(client)).rejects.toMatchObject({ reason });
	expect(pages()).toEqual([0]);
});

test('sends only the filters that are set', async () => {
	const queryOf = async (filter?: api.ChannelFilter) => {
		const { client, asked } = serviceWith(pagesOf({ total: 0, totalPage: 0 }));
		await idsOf(client, filter);
		return asked[0]?.query;
	};
	const first = { page: 0, pageSize: 100 };
	expect(await queryOf()).toEqual(first);
	expect(await queryOf({ query: '', type: '' })).toEqual(first);
	expect(await queryOf({ query: 'a', type: 'T' })).toEqual({ ...first, query: 'a', type: 'T' });
});

test('rejects without effect if the chat application does not accept the connection', async () => {
	const connecting = async (success: boolean) =>
		await api.connectChannel(serviceWith(() => ({ success }) as Page).client, 'A', {
			...{ wabaId: '1', phoneId: '2', code: 'c', coexistence: false },
		});
	await expect(connecting(false)).rejects.toMatchObject({
		failure: {
			reason: 'connection_refused_by_chat_app',
			effect: 'none',
			cause: expect.stringMatching(/did not accept the connection data$/),
			hint: expect.stringMatching(/^What the connection SDK returns works once/),
		},
	});
	await expect(connecting(true)).resolves.toBeUndefined();
});

test('rejects without effect if the service did not disconnect the channel', async () => {
	await expect(api.disconnectChannel(serviceWith(() => false).client, 'A')).rejects.toMatchObject({
		message: 'Could not disconnect the channel: the service answered that it was not done',
		failure: {
			...{ reason: 'rejected', effect: 'none' },
			hint: 'Use the operation Get to see whether the channel is connected, then try again.',
		},
	});
	const { client, asked } = serviceWith(() => true);
	await expect(api.disconnectChannel(client, 'A')).resolves.toBeUndefined();
	expect(asked).toMatchObject([{ method: 'PUT', path: ['v1', 'channels', 'A', 'disconnect'] }]);
});

const refusedWith = (serviceMessage: string) => {
	const { failure } = refused(422);
	return new ServiceError('delete the channel', { ...failure, hint: 'Check.', serviceMessage });
};
const CANCEL = expect.stringMatching(/with the operation Cancel Subscription/) as string;

test.each<[Error, object]>([
	[
		refusedWith('INSTANCE_STILL_CONNECTED'),
		{ status: 422, hint: expect.stringMatching(/Disconnect it first/) },
	],
	[refusedWith('Refused: INSTANCE_HAS_ACTIVE_SUBSCRIPTION'), { status: 422, hint: CANCEL }],
	[refusedWith('No'), { hint: 'Check.' }],
	[refused(500), { status: 500, hint: '' }],
	[new TypeError('broken'), { message: 'broken' }],
])('says what to do if the deletion of a channel fails: %s', async (thrown, error) => {
	const { client } = serviceWith(() => thrown);
	await expect(api.deleteChannel(client, 'A')).rejects.toMatchObject(error);
});
