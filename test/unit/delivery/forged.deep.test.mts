/** Random changes to deliveries, against their proof and the reading of events. */
import fc from 'fast-check';

import { DEPTH_MAX, parseBody } from '#nodes/delivery/open.ts';
import { toEvents } from '#nodes/delivery/event/message.ts';
import { type KnownProof, verifyDelivery } from '#nodes/delivery/open.ts';
import { isDeeperThan } from '#nodes/service/readBody.ts';
import {
	applyChanges,
	changes,
	isGenuine,
	rightDelivery,
	rightRequest,
	SECRET,
	TOKEN,
	TOKEN_HASH,
	TOLERANCE,
} from './changedDeliveries.mts';
import { runs } from '../../support/runs.mts';

const RUNS = runs(50_000);
const NOW = 1_800_000_000;

const signature: KnownProof = {
	...{ kind: 'signature', secrets: [SECRET], scheme: 'fiveField', tolerance: TOLERANCE },
};
const PROOFS: Record<string, KnownProof> = {
	signature,
	'signature and token': { ...signature, tokenHash: TOKEN_HASH },
	token: { kind: 'token', tokens: [TOKEN] },
};

it.each(Object.entries(PROOFS))(
	`throws on none of ${RUNS} changed deliveries, and accepts no forged one: %s`,
	(_name, proof) => {
		let accepted = 0;
		const right = { list: changes, delivery: rightDelivery, raw: fc.boolean() };
		fc.assert(
			fc.property(fc.record(right), ({ list, delivery, raw }) => {
				const request = applyChanges(rightRequest(delivery, proof, NOW), list);
				const rawBody = Buffer.from(request.body, 'base64');
				const verdict = verifyDelivery(request.headers, rawBody, proof, NOW);
				if (verdict.accepted) {
					accepted++;
					if (!isGenuine(request, proof, NOW)) throw new Error('a forged one was accepted');
				} else if (list.length === 0) throw new Error(`a genuine one: ${verdict.reason}`);
				// What was never to be accepted is parsed, too: parsing has to hold by itself.
				const parsed = parseBody(rawBody);
				if (isDeeperThan(DEPTH_MAX, parsed)) return;
				const events = toEvents(parsed, {
					...{ output: raw ? 'raw' : 'simplified', chatFields: true, skipOwnMessages: false },
					...{ senders: [], contentKinds: [], statuses: [] },
				});
				for (const { item } of events)
					if (typeof item !== 'object' || item === null || Array.isArray(item))
						throw new Error(`an item is ${JSON.stringify(item)}`);
			}),
			{ numRuns: RUNS },
		);
		// The changes leave some deliveries genuine, and most not, so both branches are tested.
		expect(accepted / RUNS).toBeGreaterThan(0.05);
		expect(accepted / RUNS).toBeLessThan(0.6);
	},
	120_000,
);
