/**
 * Tests ownership against any list, failures at any call, and any order of lifecycle calls of n8n 1
 * and 2. Several main processes run at different speeds, but no call of one takes longer than two
 * of another. The service gives them no way to exclude each other, so a process that stalls right
 * before it stores its state can store a secret that another has replaced. The next lifecycle call
 * notices.
 */
import { expect } from 'expect';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { hashToken } from '#nodes/delivery/open.ts';
import {
	CHANNELS,
	type Fault,
	ModelN8n,
	ModelService,
	OTHER_URL,
	type Parameters,
	PRODUCTION_URL,
	type ServiceTraits,
} from './lifecycleModel.mts';

const CHANNEL_EVENTS = ['MESSAGE_RECEIVED', 'MESSAGE_STATUS', 'CONNECTED'];
const someEvents = fc.subarray(CHANNEL_EVENTS, { minLength: 1 });
const owner = fc.constantFrom('template', ...CHANNELS);
const fault = fc.oneof(
	{ weight: 5, arbitrary: fc.constant<Fault>('none') },
	{
		weight: 2,
		arbitrary: fc.constantFrom<Fault>('unavailable', 'lostBefore', 'lostAfter', 'unauthorized'),
	},
);
const faults = fc.oneof(
	{ weight: 1, arbitrary: fc.constant<Fault[]>([]) },
	{ weight: 1, arbitrary: fc.array(fault, { maxLength: 12 }) },
);
/**
 * Working calls, then an uncertain one, then failures for longer than n8n tries, so there is no
 * clean-up.
 */
const outage = fc
	.record({
		after: fc.nat({ max: 3 }),
		last: fc.constantFrom<Fault>('lostAfter', 'lostBefore', 'none'),
	})
	.map(({ after, last }): Fault[] => [
		...Array<Fault>(after).fill('none'),
		last,
		...Array<Fault>(40).fill('unavailable'),
	]);

/** Other people's webhooks. Some look like ours. */
const stranger = fc.record({
	owner,
	url: fc.constantFrom(
		'https://other.example/hook',
		`${PRODUCTION_URL}/`,
		`${PRODUCTION_URL}?a=1`,
		PRODUCTION_URL.slice(0, -1),
		PRODUCTION_URL.toUpperCase(),
		'https://n8n.example.com/webhook/abd/webhook',
	),
	events: someEvents,
	status: fc.constantFrom('ENABLED' as const, 'DISABLED' as const),
	customAttributes: fc.constantFrom(
		{},
		{ n8n: { workflowId: 'w', nodeId: 'node-2' } },
		{ n8n: 'odd' },
	),
});

/** A leftover of this node from before: a webhook with its exact URL. */
const leftover = fc.record({
	owner: fc.constant('here'),
	events: someEvents,
	status: fc.constantFrom('ENABLED' as const, 'DISABLED' as const),
	signing: fc.boolean(),
	customAttributes: fc.constantFrom({}, { n8n: { nodeId: 'node-0' }, n8nSigning: 'old' }),
});

const traits: fc.Arbitrary<ServiceTraits> = fc.record({
	update: fc.constantFrom(
		'works',
		'works',
		'works',
		'unknownRoute',
		'notAllowed',
		'withoutSecret',
		'withoutBody',
	),
	limit: fc.constantFrom(100, 100, 100, 3, 1),
	keepsAttributes: fc.constantFrom(true, true, false),
});

const action = fc.oneof(
	fc.record({ do: fc.constant('publish2' as const), faults }),
	fc.record({ do: fc.constant('publish2' as const), faults: outage }),
	fc.record({ do: fc.constant('publish1' as const), faults }),
	fc.record({
		do: fc.constant('startMains' as const),
		faults: fc.oneof({ weight: 3, arbitrary: fc.constant<Fault[]>([]) }, faults),
		count: fc.integer({ min: 2, max: 3 }),
		delays: fc.array(fc.integer({ min: 1, max: 2 }), { minLength: 40, maxLength: 40 }),
	}),
	fc.record({ do: fc.constant('unpublish' as const), faults }),
	fc.record({
		do: fc.constant('change' as const),
		faults,
		events: someEvents,
		channel: fc.constantFrom(...CHANNELS),
		generation: fc.constantFrom(1, 2),
	}),
	fc.record({ do: fc.constant('test' as const), faults }),
	fc.record({ do: fc.constant('crash' as const), faults }),
	fc.record({
		do: fc.constant('remotely' as const),
		what: fc.constantFrom(
			'delete',
			'disable',
			'changeEvents',
			'copy',
			'stopSigning',
			'clearAttributes',
			'moveAway',
		),
	}),
	fc.record({ do: fc.constant('changeAddress' as const) }),
	fc.record({ do: fc.constant('loseState' as const) }),
	fc.record({ do: fc.constant('strangersId' as const) }),
	fc.record({ do: fc.constant('rotateKey' as const) }),
	fc.record({ do: fc.constant('olderState' as const) }),
);
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;

/** A service with its webhooks, and what n8n and people do. */
export const registrationScenario = fc.record({
	source: fc.constantFrom('channel' as const, 'channel' as const, 'template' as const),
	strangers: fc.array(stranger, { maxLength: 3 }),
	leftovers: fc.array(leftover, { maxLength: 2 }),
	traits,
	actions: fc.array(action, { minLength: 1, maxLength: 6 }),
});

export type RegistrationScenario =
	typeof registrationScenario extends fc.Arbitrary<infer Value> ? Value : never;

/** Runs a scenario and checks it after each action. */
class Run {
	readonly service: ModelService;
	readonly n8n: ModelN8n;
	private readonly strangers: Array<{ owner: string; id: string; before: string }> = [];
	/** Webhooks of this node that go to another address, as they were when they came to. */
	private readonly elsewhere = new Map<string, string>();
	/** Webhooks that may stay. */
	private readonly excused = new Set<string>();
	private keys = 0;

	constructor({ source, strangers, leftovers, traits: serviceTraits }: RegistrationScenario) {
		this.service = new ModelService(serviceTraits);
		this.n8n = new ModelN8n(this.service, {
			source,
			channelId: CHANNELS[0],
			events: ['MESSAGE_RECEIVED'],
		});
		for (const { owner: where, ...webhook } of strangers) {
			const { id } = this.service.store.add(where, webhook);
			this.strangers.push({ owner: where, id, before: this.snapshot(where, id) });
		}
		for (const { owner: _here, ...webhook } of leftovers)
			this.service.store.add(this.n8n.owner, { ...webhook, url: PRODUCTION_URL });
	}

	/**
	 * Only matters if the state was lost and several main processes start at once. An attribute tells
	 * one that another has replaced the secret. Without working updates they delete and create
	 * instead, and three of them can delete each other's webhooks.
	 */
	private get letsMainsMeet(): boolean {
		return this.service.traits.keepsAttributes && this.service.traits.update === 'works';
	}

	private snapshot(where: string, id: string): string {
		return JSON.stringify(this.service.store.of(where).find((webhook) => webhook.id === id));
	}

	/** A disabled template webhook is not listed, so a node that lost its ID cannot reach it. */
	private excuseHidden(): void {
		if (this.n8n.parameters.source !== 'template') return;
		for (const { id, status } of this.n8n.own())
			if (status === 'DISABLED' && id !== this.n8n.database?.webhookId) this.excused.add(id);
	}

	private excuseAll(): void {
		for (const { id } of this.n8n.own()) this.excused.add(id);
	}

	async take(step: Action): Promise<void> {
		const { n8n, service } = this;
		this.excuseHidden();
		const wasHashRight = this.isHashRight;
		const { database } = n8n;
		service.failed = 0;
		service.faults = 'faults' in step ? [...step.faults] : [];
		service.delays = 'delays' in step ? [...step.delays] : [];
		switch (step.do) {
			case 'publish2':
				if (await n8n.publish2()) this.expectRegistered();
				else this.expectReason();
				break;
			case 'publish1':
				if (await n8n.publish1()) this.expectRegistered();
				else this.expectReason();
				break;
			case 'startMains':
				if (await n8n.startMains(this.letsMainsMeet ? step.count : 1)) this.expectConverged();
				break;
			case 'unpublish':
				if (await n8n.unpublish()) this.expectNothingOfOurs();
				else this.expectReason();
				break;
			case 'change': {
				const parameters: Parameters = {
					...n8n.parameters,
					events: step.events,
					channelId: step.channel,
				};
				const { removed, published } = await n8n.change(
					parameters,
					async () => await (step.generation === 1 ? n8n.publish1() : n8n.publish2()),
				);
				if (!removed) this.excuseAll();
				if (published) this.expectRegistered();
				else this.expectReason();
				break;
			}
			case 'test': {
				const production = JSON.stringify(n8n.own());
				const { listened, removed } = await n8n.test();
				if (listened) expect(listened).toMatchObject([{ status: 'ENABLED', signing: true }]);
				if (removed) expect(n8n.ownTests()).toEqual([]);
				else this.expectReason();
				expect(JSON.stringify(n8n.own())).toBe(production);
				break;
			}
			case 'crash':
				// Without attributes nothing shows later that the lost secret is the active one.
				if (service.traits.keepsAttributes) await n8n.publishAndCrash();
				break;
			case 'remotely':
				this.changeRemotely(step.what);
				break;
			case 'loseState':
				n8n.database = undefined;
				break;
			case 'strangersId':
				this.giveStrangersId();
				break;
			case 'changeAddress':
				this.changeAddress();
				break;
			case 'rotateKey':
				n8n.secretKey = `key ${++this.keys}`;
				break;
			case 'olderState':
				// As after a request that may have set another token.
				delete n8n.database?.tokenHash;
				break;
		}
		this.expectHonestHash(step, wasHashRight);
		service.faults = [];
		service.delays = [];
		this.expectStrangersUnchanged();
		this.expectElsewhereUnchanged();
		if (['publish2', 'unpublish'].includes(step.do) && service.failed === 0)
			this.expectFormerNamed(database);
	}

	/**
	 * The database is restored at another address, or n8n moves, maybe back. What the former address
	 * registered stays.
	 */
	private changeAddress(): void {
		const { n8n } = this;
		for (const { id } of n8n.own()) this.noteElsewhere(id);
		n8n.url = n8n.url === PRODUCTION_URL ? OTHER_URL : PRODUCTION_URL;
		const here = new Set(this.service.store.of(n8n.owner).map(({ id }) => id));
		for (const { id } of n8n.own()) {
			this.elsewhere.delete(id);
			// Nobody knows of it any more, and another channel's list does not show it.
			if (!here.has(id)) this.excused.add(id);
		}
	}

	private noteElsewhere(id: string): void {
		this.elsewhere.set(id, this.contentOf(id));
	}

	private contentOf(id: string): string {
		return JSON.stringify(this.service.store.all().find((webhook) => webhook.id === id));
	}

	private expectElsewhereUnchanged(): void {
		for (const [id, before] of this.elsewhere) expect(this.contentOf(id)).toBe(before);
	}

	/** What was stored, is listed and goes elsewhere is remembered. At most five are. */
	private expectFormerNamed(before: IDataObject | undefined): void {
		const former = (this.n8n.database?.formerWebhooks ?? []) as IDataObject[];
		expect(former.length).toBeLessThanOrEqual(5);
		const ids = former.map(({ id }) => id);
		const listed = this.service.store
			.of(this.n8n.owner)
			.filter(({ status }) => this.n8n.owner !== 'template' || status === 'ENABLED')
			.map(({ id }) => id);
		const { webhookId } = before ?? {};
		if (typeof webhookId !== 'string' || !this.elsewhere.has(webhookId)) return;
		// Another node's, by its mark.
		if (this.contentOf(webhookId).includes('node-0')) return;
		if (listed.includes(webhookId)) expect(ids).toContain(webhookId);
	}

	private changeRemotely(what: string): void {
		const here = this.service.store.of(this.n8n.owner);
		const [webhook] = here.filter(({ url }) => url === this.n8n.url);
		if (!webhook) return;
		if (what === 'delete') here.splice(here.indexOf(webhook), 1);
		if (what === 'disable') webhook.status = 'DISABLED';
		if (what === 'changeEvents') webhook.events = ['CONNECTED'];
		if (what === 'stopSigning') webhook.signing = false;
		if (what === 'clearAttributes') webhook.customAttributes = {};
		if (what === 'copy')
			this.service.store.add(this.n8n.owner, { url: this.n8n.url, events: webhook.events });
		if (what === 'moveAway') {
			webhook.url = 'https://third-n8n.example.com/webhook/abc/webhook';
			this.noteElsewhere(webhook.id);
		}
	}

	/** A renamed node finds another's ID in static data. The other's mark is on that webhook. */
	private giveStrangersId(): void {
		const marked = this.service.store
			.all()
			.find(({ customAttributes }) => JSON.stringify(customAttributes).includes('node-2'));
		if (!marked) return;
		const { source, channelId } = this.n8n.parameters;
		this.n8n.database = {
			webhookId: marked.id,
			webhookUrl: marked.url,
			secret: 'x',
			...(source === 'channel' ? { channelId } : {}),
		};
	}

	/** Exactly one of ours: enabled, with the wanted events, and its known secret active. */
	expectRegistered(): void {
		const [webhook] = this.expectOneEnabled();
		expect(this.n8n.database).toMatchObject({
			webhookId: webhook?.id,
			secret: this.service.store.secretOf(webhook?.id),
			tokenHash: hashToken(webhook?.auth.token ?? ''),
		});
	}

	/** Whether the stored hash, if any, matches the token that the service sends. */
	private get isHashRight(): boolean {
		const { webhookId, tokenHash } = this.n8n.database ?? {};
		const webhook = this.service.store
			.all()
			.find(({ id, url }) => id === webhookId && url === this.n8n.url);
		return (
			webhook === undefined ||
			tokenHash === undefined ||
			tokenHash === hashToken(webhook.auth.token ?? '')
		);
	}

	/**
	 * A wrong hash would refuse every event, and no run stores one. If n8n was killed, or is n8n 1
	 * and forgets what a failed attempt learnt, the next lifecycle call notices it.
	 */
	private expectHonestHash(step: Action, wasRight: boolean): void {
		const isStored =
			step.do === 'publish2' ||
			step.do === 'unpublish' ||
			(step.do === 'change' && step.generation === 2);
		if (isStored && wasRight) expect(this.isHashRight).toBe(true);
		if (!this.isHashRight)
			expect(this.n8n.database?.tokenHash).not.toBe(hashToken(this.n8n.wantedToken));
	}

	/**
	 * As above, but a process can have left it to another to store the secret. No process stores a
	 * wrong one, which would refuse every event.
	 */
	private expectConverged(): void {
		const [webhook] = this.expectOneEnabled();
		const stored = this.n8n.database?.secret;
		if (stored !== undefined) expect(stored).toBe(this.service.store.secretOf(webhook?.id));
		if (this.n8n.database?.tokenHash !== undefined)
			expect(this.n8n.database.tokenHash).toBe(hashToken(webhook?.auth.token ?? ''));
	}

	private expectOneEnabled() {
		const own = this.n8n
			.own()
			.filter(
				({ id }) =>
					!this.excused.has(id) ||
					this.service.store
						.of(this.n8n.owner)
						.some((webhook) => webhook.id === id && webhook.status === 'ENABLED'),
			);
		expect(own).toMatchObject([{ status: 'ENABLED', signing: true }]);
		expect([...(own[0]?.events ?? [])].sort()).toEqual([...this.n8n.parameters.events].sort());
		return own;
	}

	expectNothingOfOurs(): void {
		expect(this.n8n.own().filter(({ id }) => !this.excused.has(id))).toEqual([]);
	}

	/** A failure needs a reason: the service failed, or cannot do what is needed. */
	private expectReason(): void {
		expect(this.service.failed).toBeGreaterThan(0);
	}

	private expectStrangersUnchanged(): void {
		for (const { owner: where, id, before } of this.strangers)
			expect(this.snapshot(where, id)).toBe(before);
	}
}

export async function checkRegistrationScenario(given: RegistrationScenario): Promise<void> {
	const run = new Run(given);
	for (const step of given.actions) await run.take(step);
	// The service works again, and n8n unpublishes for the last time.
	await run.take({ do: 'unpublish', faults: [] });
	run.expectNothingOfOurs();
}
