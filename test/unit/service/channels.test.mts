import {
	connectChannel,
	createChannel,
	type ChannelFilter,
	deleteChannel,
	disconnectChannel,
	getChannel,
	listChannels,
} from '../../../nodes/BusinessMessaging/service/channels.ts';
import type {
	ServiceClient,
	ServiceRequest,
} from '../../../nodes/BusinessMessaging/service/client.ts';
import type { Channel } from '../../../nodes/BusinessMessaging/service/contract/channels.ts';
import {
	type FailureReason,
	ServiceError,
} from '../../../nodes/BusinessMessaging/service/errors/index.ts';

interface Page {
	total: number;
	totalPage: number;
	page?: number;
	content: Channel[];
}

const refused = (status?: number, reason: FailureReason = 'rejected') =>
	new ServiceError('list the channels', {
		reason,
		effect: 'none',
		cause: 'no',
		hint: '',
		...(status === undefined ? {} : { status }),
	});
const channels = (...ids: string[]): Channel[] => ids.map((id) => ({ id, name: id }));

/** A client whose service answers by the number of the page. */
function serviceWith(answer: (page: number) => Page | Error) {
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

async function idsOf(client: ServiceClient, filter?: ChannelFilter): Promise<string[]> {
	const ids: string[] = [];
	for await (const { id } of listChannels(client, filter)) ids.push(id);
	return ids;
}

test('requests pages until it has the total', async () => {
	const { client, pages } = serviceWith((page) => ({
		total: 3,
		totalPage: 9,
		content: [channels('A', 'B'), channels('C'), channels('D')][page] ?? [],
	}));
	expect(await idsOf(client)).toEqual(['A', 'B', 'C']);
	expect(pages()).toEqual([0, 1]);
});

test('sends one request for an account without channels', async () => {
	const { client, pages } = serviceWith(() => ({ total: 0, totalPage: 0, content: [] }));
	expect(await idsOf(client)).toEqual([]);
	expect(pages()).toEqual([0]);
});

test.each([400, 422])('asks a service from page 1 if it refuses page 0 with %d', async (status) => {
	const { client, pages } = serviceWith((page) =>
		page === 0
			? refused(status)
			: { total: 2, totalPage: 2, content: page === 1 ? channels('A') : channels('B') },
	);
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

test('does not request page 1 again if the service returned it for page 0', async () => {
	const { client, pages } = serviceWith((page) => ({
		total: 3,
		totalPage: 3,
		page: Math.max(1, page),
		content: [channels('A'), channels('A'), channels('B'), channels('C')][page] ?? [],
	}));
	expect(await idsOf(client)).toEqual(['A', 'B', 'C']);
	expect(pages()).toEqual([0, 2, 3]);
});

test('requests each page once if the first page is 0 and has the number 1', async () => {
	const { client, pages } = serviceWith((page) => ({
		total: 4,
		totalPage: 4,
		page: page + 1,
		content: [channels('A'), channels('B'), channels('C'), channels('D')][page] ?? [],
	}));
	expect((await idsOf(client)).sort()).toEqual(['A', 'B', 'C', 'D']);
	expect(pages()).toEqual([0, 2, 3, 4, 1]);
	const greedy = serviceWith((page) => ({ total: 9, totalPage: 2, page: page + 1, content: [] }));
	expect(await idsOf(greedy.client)).toEqual([]);
	expect(greedy.pages()).toEqual([0, 2, 1]);
});

test('does not request page 1 again after page 0 was refused', async () => {
	const { client, pages } = serviceWith((page) =>
		page === 0
			? refused(400)
			: { total: 9, totalPage: 2, page, content: page === 1 ? channels('A') : [] },
	);
	expect(await idsOf(client)).toEqual(['A']);
	expect(pages()).toEqual([0, 1, 2]);
});

test('returns each channel once if pages 0 and 1 are the same', async () => {
	const { client } = serviceWith((page) => ({
		total: 2,
		totalPage: 2,
		content: page < 2 ? channels('A') : channels('B'),
	}));
	expect(await idsOf(client)).toEqual(['A', 'B']);
});

test('ends although the total is too high', async () => {
	const { client, pages } = serviceWith((page) => ({
		total: 100,
		totalPage: 50,
		content: page === 0 ? channels('A') : [],
	}));
	expect(await idsOf(client)).toEqual(['A']);
	expect(pages()).toEqual([0, 1, 2]);
	const short = serviceWith((page) => ({
		total: 100,
		totalPage: 1,
		content: channels(`A${page}`),
	}));
	expect(await idsOf(short.client)).toEqual(['A0', 'A1']);
});

test('continues after one page with nothing new', async () => {
	const contents = [channels('A'), channels('A'), channels('B'), [], channels('C')];
	const { client } = serviceWith((page) => ({
		total: 3,
		totalPage: 9,
		content: contents[page] ?? [],
	}));
	expect(await idsOf(client)).toEqual(['A', 'B', 'C']);
});

test("removes the token from a channel, and not from the service's own object", async () => {
	const given = { id: 'A', name: 'Support', token: 'secret' };
	const { client } = serviceWith(() => ({ total: 1, totalPage: 1, content: [given] }));
	const listed: Channel[] = [];
	for await (const channel of listChannels(client)) listed.push(channel);
	expect(listed).toEqual([{ id: 'A', name: 'Support' }]);
	expect(given.token).toBe('secret');
});

test('sends only the filters that are set', async () => {
	const answer = (): Page => ({ total: 0, totalPage: 0, content: [] });
	const queryOf = async (filter?: ChannelFilter) => {
		const { client, asked } = serviceWith(answer);
		await idsOf(client, filter);
		return asked[0]?.query;
	};
	expect(await queryOf()).toEqual({ page: 0, pageSize: 100 });
	expect(await queryOf({ query: '', type: '' })).toEqual({ page: 0, pageSize: 100 });
	expect(await queryOf({ query: 'a', type: 'T' })).toEqual({
		page: 0,
		pageSize: 100,
		query: 'a',
		type: 'T',
	});
});

test('rejects without effect if the chat application does not accept the connection', async () => {
	const client = {
		baseUrl: '',
		request: async () => ({ success: false }),
	} as unknown as ServiceClient;
	const body = { wabaId: '1', phoneId: '2', code: 'c', coexistence: false };
	const error = await connectChannel(client, 'A', body).then(
		() => undefined,
		(thrown: unknown) => thrown as ServiceError,
	);
	expect(error?.failure).toMatchObject({
		reason: 'connection_refused_by_chat_app',
		effect: 'none',
		cause: expect.stringMatching(/did not accept the connection data$/),
		hint: expect.stringMatching(/^What the connection SDK returns works once/),
	});
	await expect(
		connectChannel(
			{ baseUrl: '', request: async () => ({ success: true }) } as unknown as ServiceClient,
			'A',
			body,
		),
	).resolves.toBeUndefined();
});

test('uses the routes of the contract to list and create channels', async () => {
	const { client, asked } = serviceWith(
		() => ({ total: 0, totalPage: 0, content: [], id: 'A' }) as Page,
	);
	await idsOf(client);
	expect(await createChannel(client, { name: 'Support', type: 'T' })).toBe('A');
	expect(asked).toEqual([
		expect.objectContaining({
			action: 'list the channels',
			method: 'GET',
			path: ['v1', 'channels'],
		}),
		expect.objectContaining({
			action: 'create the channel',
			method: 'POST',
			path: ['v1', 'channels'],
			body: { name: 'Support', type: 'T' },
		}),
	]);
});

test('uses the route of the contract to get a channel, without its token', async () => {
	const given = { id: 'A', name: 'Support', token: 'secret' };
	const { client, asked } = serviceWith(() => given as unknown as Page);
	expect(await getChannel(client, 'A')).toEqual({ id: 'A', name: 'Support' });
	expect(asked).toEqual([
		expect.objectContaining({
			action: 'get the channel',
			method: 'GET',
			path: ['v1', 'channels', 'A'],
		}),
	]);
});

test('rejects without effect if the service did not disconnect the channel', async () => {
	const answering = (isDone: boolean) => serviceWith(() => isDone as unknown as Page);
	await expect(disconnectChannel(answering(false).client, 'A')).rejects.toMatchObject({
		message: 'Could not disconnect the channel: the service answered that it was not done',
		failure: {
			reason: 'rejected',
			effect: 'none',
			hint: 'Use the operation Get to see whether the channel is connected, then try again.',
		},
	});
	const { client, asked } = answering(true);
	await expect(disconnectChannel(client, 'A')).resolves.toBeUndefined();
	expect(asked).toEqual([
		expect.objectContaining({ method: 'PUT', path: ['v1', 'channels', 'A', 'disconnect'] }),
	]);
});

const refusedWith = (serviceMessage: string) =>
	new ServiceError('delete the channel', {
		...refused(422).failure,
		hint: 'Check.',
		serviceMessage,
	});

test.each<[string, Error, object]>([
	[
		'is still connected',
		refusedWith('INSTANCE_STILL_CONNECTED'),
		{ status: 422, hint: expect.stringMatching(/Disconnect it first/) },
	],
	[
		'is still paid for',
		refusedWith('Refused: INSTANCE_HAS_ACTIVE_SUBSCRIPTION'),
		{ status: 422, hint: expect.stringMatching(/with the operation Cancel Subscription/) },
	],
	['is refused for another reason', refusedWith('No'), { hint: 'Check.' }],
	['is refused without words', refused(500), { status: 500, hint: '' }],
	['fails otherwise', new TypeError('broken'), { message: 'broken' }],
])('says what to do if the deletion of a channel %s', async (_name, thrown, error) => {
	await expect(deleteChannel(serviceWith(() => thrown).client, 'A')).rejects.toMatchObject(error);
});
