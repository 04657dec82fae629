import fc from 'fast-check';

import { isNestedTooDeep, readBody } from '../../../nodes/BusinessMessaging/delivery/body.ts';
import { toEvents } from '../../../nodes/BusinessMessaging/delivery/event/message.ts';
import {
	type KnownProof,
	verifyDelivery,
} from '../../../nodes/BusinessMessaging/delivery/verify.ts';
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
} from '../deliveries.mts';
import { type EntryPoint, must } from '../entryPoint.mts';

const NOW = 1_800_000_000;

const PROOFS = {
	signature: { kind: 'signature', secrets: [SECRET], scheme: 'fiveField', tolerance: TOLERANCE },
	both: {
		kind: 'signature',
		secrets: [SECRET],
		scheme: 'fiveField',
		tolerance: TOLERANCE,
		tokenHash: TOKEN_HASH,
	},
	token: { kind: 'token', tokens: [TOKEN] },
} satisfies Record<string, KnownProof>;

const input = fc.record({
	proof: fc.constantFrom('signature' as const, 'both' as const, 'token' as const),
	right: rightDelivery,
	changes,
	raw: fc.boolean(),
});
type Input = typeof input extends fc.Arbitrary<infer Value> ? Value : never;

/** Carries out the check. @returns whether the request was accepted */
export function checkDelivery({ proof: kind, right, changes: list, raw }: Input): boolean {
	const proof: KnownProof = PROOFS[kind];
	const request = applyChanges(rightRequest(right, proof, NOW), list);
	const body = Buffer.from(request.body, 'base64');
	const verdict = verifyDelivery(request.headers, body, proof, NOW);
	const genuine = isGenuine(request, proof, NOW);
	must(!verdict.accepted || genuine, 'a forged delivery was accepted');
	must(
		verdict.accepted || list.length > 0,
		`a genuine delivery was refused: ${JSON.stringify(verdict)}`,
	);
	// What was never to be accepted is parsed, too: parsing has to hold by itself.
	const parsed = readBody({ rawBody: body });
	const items = isNestedTooDeep(parsed)
		? []
		: toEvents(parsed, {
				output: raw ? 'raw' : 'simplified',
				chatFields: true,
				skipOwnMessages: false,
				senders: [],
				contentKinds: [],
				statuses: [],
			}).map(({ item }) => item);
	for (const item of items)
		must(
			typeof item === 'object' && item !== null && !Array.isArray(item),
			`an item is ${JSON.stringify(item)}`,
		);
	return verdict.accepted;
}

/** Deliveries of all kinds, against the rule and the reading of events. */
export const verification: EntryPoint<Input> = {
	name: 'verification',
	input,
	check: (given) => void checkDelivery(given),
};
