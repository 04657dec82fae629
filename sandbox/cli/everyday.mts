/** `business-messaging-sandbox rehearse --everyday`: plays everyday customers and judges a bot. */
import { writeFileSync } from 'node:fs';

import type { Channel, Sandbox } from '../client/index.mts';
import { millisecondsOf } from '../client/duration.mts';
import { StartError } from '../core/errors.mts';
import { viewOf } from '../everyday/guest.mts';
import { asPage } from '../everyday/page.mts';
import { clear, playScenes } from '../everyday/play.mts';
import { asOutcomes, inWords, isPassed, judge, type Report } from '../everyday/report.mts';
import { SCENES } from '../everyday/scenes.mts';
import type { State } from '../http/control/administration.mts';
import { ownerOf, RECEIVED, waitsUntil } from '../page/owner.ts';
import { print } from '../print.mts';
import { junit } from '../rehearsal/report.mts';
import { answerTo } from './person.mts';

/** What was given on the command line. */
type Given = {
	[name in 'within' | 'settle' | 'junit' | 'html']?: string | undefined;
} & { [name in 'only' | 'first']?: string[] | undefined } & {
	[name in 'silent' | 'yes']?: boolean | undefined;
};

/** @returns the exit code */
export async function everyday(sandbox: Sandbox, channel: Channel, given: Given): Promise<number> {
	const unknown = given.only?.find((name) => !SCENES.some((scene) => scene.name === name));
	if (unknown !== undefined)
		throw new StartError(
			`There is no scene '${unknown}'. --only takes ${SCENES.map(({ name }) => name).join(', ')}.`,
		);
	const scenes = SCENES.filter(({ name }) => given.only?.includes(name) ?? true);
	const { webhooks: all, demoSecretKey } = await sandbox.control<State>('GET', '/state');
	const webhooks = all.filter(
		({ channelId, status, events, description }) =>
			channelId === channel.channelId &&
			status === 'ENABLED' &&
			events.some((event) => RECEIVED.includes(event)) &&
			waitsUntil(description) === undefined,
	);
	if (webhooks.length === 0)
		throw new StartError(
			`Nothing listens on the channel ${channel.channelId}. Publish the workflow, or name its channel with --channel.`,
		);
	await ask(webhooks, scenes.length, given.yes);
	const view = await viewOf({
		...{ sandbox, channel, webhooks: webhooks.map(({ id }) => id) },
		within: millisecondsOf(given.within ?? '20s'),
		settle: millisecondsOf(given.settle ?? '3s'),
		openings: given.first ?? ['Hello'],
		mayBeSilent: given.silent,
	});
	const stop = () => void clear(view).finally(() => process.exit(130));
	process.once('SIGINT', stop);
	const began = performance.now();
	let count = 0;
	try {
		const played = await playScenes(scenes, view, ({ name, seconds }) => {
			count += 1;
			print(`… ${count} of ${scenes.length}: ${name}, ${seconds.toFixed(1)} s`);
		});
		const origins = webhooks.map(({ url }) => new URL(url).host);
		const secrets = [...origins, ...(demoSecretKey === null ? [] : [demoSecretKey])];
		const findings = judge(played, secrets);
		const seconds = (performance.now() - began) / 1000;
		const report: Report = { played, findings, seconds };
		print(`\n${inWords(report)}`);
		if (played.length < scenes.length) print(`\n${STOPPED}`);
		if (given.junit !== undefined) writeFileSync(given.junit, junit(asOutcomes(report)));
		if (given.html !== undefined) writeFileSync(given.html, asPage(report));
		return isPassed(report) ? 0 : 1;
	} finally {
		process.removeListener('SIGINT', stop);
		await clear(view);
	}
}

const STOPPED =
	'Nothing answered, so the other scenes were not played. Look at the executions in n8n. Does the workflow answer these words (--first), in this time (--within), with a credential for this sandbox? If it need not answer, add --silent.';

/** Names what will run, and asks whether it may. */
async function ask(webhooks: State['webhooks'], count: number, isSure = false): Promise<void> {
	const names = webhooks.map(({ description, url }) => {
		const owner = ownerOf(description);
		return owner ? `the workflow '${owner.workflow}'` : `what listens at ${url}`;
	});
	print(
		`${count} scenes with ${[...new Set(names)].join(', ')}: one to five minutes. The messages stay in the sandbox. Everything else that runs with them is real: orders, mails, tables, models that cost.`,
	);
	if (isSure) return;
	if (!process.stdin.isTTY)
		throw new StartError('Nobody is here to be asked. If it may run, add --yes.');
	if (!/^y(?:es)?$/i.test(await answerTo('May it run? [y/N] ')))
		throw new StartError('Nothing was played.');
}
