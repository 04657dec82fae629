import { randomBytes, randomUUID } from 'node:crypto';

import {
	channelPageSchema,
	identifierOf,
	KEY_REFUSED_PATTERN,
	ADDRESS_REFUSED_PATTERN,
} from '../contract.mts';
import { StartError } from '../core/errors.mts';
import type { Need } from '../facts/fact.mts';
import type { FactsFile } from '../facts/file.mts';
import { probeChannels } from './channels.mts';
import { probeConversation } from './conversation.mts';
import { Findings } from './findings.mts';
import { removeMarked } from './marks.mts';
import { probeReading } from './reading.mts';
import type { Person, ProbeOptions, Run } from './runContext.mts';
import { probeSends } from './sends.mts';
import { type Stop, Stopped } from './stop.mts';
import { probeTemplates } from './templates.mts';
import { probeWebhooks } from './webhooks.mts';
import { NoAnswer, Wire } from './wire.mts';

export interface ProbeParts {
	person: Person;
	stop: Stop;
	say: (line: string) => void;
}

/** What a run found, and what it could not remove. */
export interface ProbeResult {
	file: FactsFile;
	left: string[];
}

/**
 * Asks the service, and removes what it made, also after a signal.
 *
 * @throws StartError if the service cannot be asked
 */
export async function runProbe(
	options: ProbeOptions,
	{ person, stop, say }: ProbeParts,
): Promise<ProbeResult> {
	const { url, key, channelId, phone } = options;
	const token = randomBytes(16).toString('hex');
	const webhookKey = randomBytes(16).toString('hex');
	const wire = new Wire(url, key, stop);
	const findings = new Findings(say);
	findings.hide(key, channelId, token, webhookKey, phone);
	const hasRole = await preflight(wire, findings);
	const before = await removeMarked(wire, channelId);
	if (before.removed > 0) say(`Removed ${before.removed} that an earlier probe left behind.`);
	const run: Run = {
		...options,
		...{ wire, findings, person, stop, say, hasRole, token, webhookKey },
		phone: phone === undefined ? undefined : identifierOf(phone),
		wrongKey: `wrong-${randomUUID()}`,
		unknownId: randomBytes(16).toString('hex').toUpperCase(),
		sent: 0,
	};
	try {
		for (const section of SECTIONS) await attempt(section, run);
	} catch (error) {
		if (!(error instanceof Stopped)) throw error;
	} finally {
		const { left } = await removeMarked(wire, channelId);
		run.left = left;
	}
	return { file: findings.file(stop.by), left: run.left ?? [] };
}

type Section = readonly [ask: (run: Run) => Promise<void>, needs: readonly Need[]];

/** The parts of a run, with the facts that each asks. */
const SECTIONS: readonly Section[] = [
	[probeReading, ['reading']],
	[probeChannels, ['channels']],
	[probeWebhooks, ['webhooks']],
	[probeTemplates, ['templates']],
	[probeSends, ['sends']],
	[probeConversation, ['sends', 'deliveries', 'conversation']],
];

/** A connection that fails ends a section, not the run. */
async function attempt([ask, needs]: Section, run: Run): Promise<void> {
	try {
		await ask(run);
	} catch (error) {
		if (!(error instanceof NoAnswer)) throw error;
		run.say(`… ${error.message}`);
		for (const need of needs) run.findings.skipAll(need, error.message);
	}
}

/** Checks the key. @returns whether the account has the ENTERPRISE role */
async function preflight(wire: Wire, findings: Findings): Promise<boolean> {
	const {
		status,
		words = '',
		body,
	} = await wire.call('/v1/channels').catch((error: unknown) => {
		throw error instanceof NoAnswer
			? new StartError(`The service does not answer: ${error.message}. Check --url.`)
			: error;
	});
	if (status === 401 || status === 403 || (status === 400 && KEY_REFUSED_PATTERN.test(words)))
		throw new StartError('The service refused the secret key. Copy it again.');
	if (status === 400 && ADDRESS_REFUSED_PATTERN.test(words))
		throw new StartError(
			'The account does not allow requests from this address. Add it to the list of allowed addresses.',
		);
	if (status === 200 && typeof body === 'string')
		throw new StartError('No service answers there: the response is no JSON. Check --url.');
	const { data } = channelPageSchema.safeParse(body);
	for (const { name, token, tenant, businessId, phoneNumberConnected } of data?.content ?? [])
		findings.hide(name, token, tenant, businessId, phoneNumberConnected);
	return !(status === 422 && /ENTERPRISE/.test(words));
}
