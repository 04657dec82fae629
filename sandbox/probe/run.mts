import { randomBytes, randomUUID } from 'node:crypto';

import {
	ADDRESS_REFUSED_PATTERN,
	channelPageSchema,
	identifierOf,
	KEY_REFUSED_PATTERN,
} from '../contract.mts';
import { StartError } from '../core/errors.mts';
import type { Need } from '../facts/catalogue.mts';
import type { FactsFile } from '../facts/file.mts';
import { probeChannels, probeTemplates } from './changes.mts';
import { probeConversation } from './conversation.mts';
import { Findings } from './findings.mts';
import { removeMarked } from './marks.mts';
import { probeReading } from './reading.mts';
import { type Permission, type ProbeOptions, type ProbeParts } from './runContext.mts';
import { type Run, without } from './runContext.mts';
import { probeSends } from './sends.mts';
import { Stopped } from './stop.mts';
import { probeWebhooks } from './webhooks.mts';
import { type Call, callsTo, NoAnswer } from './wire.mts';

/** A part of a run. Its permission, and the facts that it asks. */
interface Section {
	allow?: Permission;
	needs: readonly Need[];
	/** Returns why the rest of these facts cannot be asked. */
	probe: (run: Run) => Promise<string | void>;
}

const SECTIONS: readonly Section[] = [
	{ needs: ['reading'], probe: probeReading },
	{ needs: ['channels'], allow: 'channels', probe: probeChannels },
	{ needs: ['webhooks'], allow: 'webhooks', probe: probeWebhooks },
	{ needs: ['templates'], allow: 'templates', probe: probeTemplates },
	{ needs: ['sends'], probe: probeSends },
	{ needs: ['sends', 'deliveries', 'conversation'], probe: probeConversation },
];

/** A connection that fails ends a section, not the run. */
async function attempt({ allow, probe }: Section, run: Run): Promise<string | void> {
	if (allow && !run.allowed.has(allow)) return without(`--allow ${allow}`);
	try {
		return await probe(run);
	} catch (error) {
		if (!(error instanceof NoAnswer)) throw error;
		run.say(`… ${error.message}`);
		return error.message;
	}
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
export async function runProbe(options: ProbeOptions, parts: ProbeParts): Promise<ProbeResult> {
	const { url, key, channelId, phone } = options;
	const { stop, say } = parts;
	const token = randomBytes(16).toString('hex');
	const webhookKey = randomBytes(16).toString('hex');
	const call = callsTo(url, key, stop);
	const findings = new Findings(say);
	findings.hide(key, channelId, token, webhookKey, phone);
	const hasRole = await preflight(call, findings);
	const before = await removeMarked(call, channelId);
	if (before.removed > 0) say(`Removed ${before.removed} that an earlier probe left behind.`);
	const run: Run = {
		...{ ...options, ...parts, call, findings, hasRole, token, webhookKey, sent: 0 },
		phone: phone === undefined ? undefined : identifierOf(phone),
		wrongKey: `wrong-${randomUUID()}`,
		unknownId: randomBytes(16).toString('hex').toUpperCase(),
	};
	let left: string[] = [];
	try {
		for (const section of SECTIONS) {
			const reason = await attempt(section, run);
			if (reason !== undefined) findings.skipAll(reason, ...section.needs);
		}
	} catch (error) {
		if (!(error instanceof Stopped)) throw error;
	} finally {
		left = (await removeMarked(call, channelId)).left;
	}
	return { file: findings.file(stop.by), left };
}

/** Checks the key. @returns whether the account has the ENTERPRISE role */
async function preflight(call: Call, findings: Findings): Promise<boolean> {
	const answer = await call('/v1/channels').catch((error: unknown) => {
		throw error instanceof NoAnswer
			? new StartError(`The service does not answer: ${error.message}. Check --url.`)
			: error;
	});
	const { status, words = '', body } = answer;
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
