import { CAPTION_MAX, WINDOW_CLOSED, WINDOW_CLOSED_PATTERN } from '../contract.mts';
import type { Answer } from './answer.mts';
import { probeNamedVariables } from './namedVariables.mts';
import { type Run, without } from './runContext.mts';
import { isSent, messageIdIn, send, text } from './send.mts';

/** The button that the person taps. */
export const BUTTON = { id: 'probe-yes', title: 'Yes' };

const TEMPLATE = {
	name: 'probe_no_such_template',
	language: { policy: 'deterministic', code: 'en_US' },
	components: [{ type: 'body', parameters: [] }],
};

/**
 * How a service refuses every template on a channel of a kind without them. In the singular, it
 * could mean the unknown one.
 */
const NO_TEMPLATES = /\bno templates\b|\btemplates are not supported\b|\bnot support templates\b/i;

/** How a service refuses every contact on a channel of a kind that takes none. */
const NO_CONTACTS = /\bno contacts\b|\bcontacts are not supported\b|\bnot support contacts\b/i;

export const canSend = ({ allowed, phone }: Run): boolean =>
	allowed.has('sends') && phone !== undefined;

/** Asks what is refused before the customer has written. */
export async function probeSends(run: Run): Promise<void> {
	const { findings, unknownId, say } = run;
	if (!canSend(run)) return findings.skipAll('sends', without('--allow sends', '--phone'));
	findings.refusal('send.unknown-channel', await send(run, text('Probe'), unknownId));
	findings.refusal('send.malformed', await send(run, undefined));
	const attachments = [{ template: TEMPLATE }];
	const unknown = await send(run, { type: 'TEMPLATE', attachments });
	if (unknown.shape !== 'D' && NO_TEMPLATES.test(unknown.words ?? ''))
		findings.skip('send.unknown-template', 'the channel has no templates');
	else findings.refusal('send.unknown-template', unknown);
	await probeNamedVariables(run);
	const early = await send(run, text('A probe of the service: is the window closed?'));
	if (isSent(early)) {
		// Its events tell whether the window was open. They come once there is a webhook.
		run.isEarlyAccepted = true;
		return;
	}
	run.early = early;
	if (isClosedWindow(early)) recordClosed(run);
	else say('… a text was refused. Whether the window is why shows when you have written.');
}

/** Whether the nodes take a refusal for a closed window. */
const isClosedWindow = ({ status, words }: Answer): boolean =>
	status === WINDOW_CLOSED.status && WINDOW_CLOSED_PATTERN.test(words ?? '');

/** The window was open, or nothing tells. */
export function skipClosed({ findings }: Run): void {
	for (const id of WINDOW_FACTS)
		findings.skip(
			id,
			'the window of the phone was open, or the channel has none. Use a phone that has not written for 24 hours',
		);
}

const WINDOW_FACTS = [
	...['send.window-closed', 'send.refused-at-once', 'send.window-recognised'],
] as const;

/** A refusal before the customer wrote, whose reason was the window. */
function recordClosed({ findings, early }: Run): void {
	if (!early) return;
	findings.record('send.refused-at-once', true);
	findings.skip('status.window-failure', 'the refusal comes at once');
	findings.refusal('send.window-closed', early);
	findings.record('send.window-recognised', isClosedWindow(early), findings.foundIn(early));
}

/** What the sends gave for the part that waits for their events. */
export interface Sent {
	textId: string | undefined;
	hasButtons: boolean;
}

/** Sends each kind while the window is open. @param pictureUrl undefined: nobody could fetch it */
export async function sendKinds(run: Run, pictureUrl: string | undefined): Promise<Sent> {
	const { findings, phone } = run;
	const answer = await send(run, text('A probe of the service: the window is open.'));
	const textId = messageIdIn(answer);
	findings.success('send.text', answer, () => textId !== undefined);
	if (isSent(answer)) recordClosed(run);
	else
		for (const id of WINDOW_FACTS)
			findings.skip(id, 'a text was refused after you had written, too');
	if (textId === undefined) findings.skip('send.id-form', 'no text was accepted');
	else findings.record('send.id-form', /^[0-9a-f]{32}$/i.test(textId), { number: textId.length });
	const accepts = async (id: 'send.buttons' | 'send.actions' | 'send.image', content: object) => {
		const answer = await send(run, content);
		return findings.success(id, answer, () => messageIdIn(answer) !== undefined);
	};
	const body = { message: 'A probe of the service. Please tap Yes.' };
	const buttons = [BUTTON, { id: 'probe-no', title: 'No' }];
	const hasButtons = await accepts('send.buttons', {
		...{ type: 'INTERACTIVE_BUTTON', body, attachments: buttons },
	});
	const contact = { type: 'CONTACT', attachments: [{ name: 'Probe', phones: [phone] }] };
	const contacted = await send(run, contact);
	if (NO_CONTACTS.test(contacted.words ?? ''))
		findings.skip('send.contact', 'the channel takes no contacts');
	else findings.success('send.contact', contacted, () => messageIdIn(contacted) !== undefined);
	const link = { id: 'probe-open', title: 'Open', name: 'URL', url: 'https://example.com' };
	const action = { type: 'INTERACTIVE_ACTION', body: { message: 'A probe: a link.' } };
	await accepts('send.actions', { ...action, attachments: [link] });
	const image = (...attachments: object[]) => ({ type: 'IMAGE', attachments });
	findings.refusal('send.url-required', await send(run, image({})));
	findings.refusal('send.invalid-url', await send(run, image({ url: 'no-url' })));
	if (pictureUrl === undefined) {
		for (const id of ['send.image', 'send.one-file', 'send.long-caption'] as const)
			findings.skip(id, without('--public-url'));
		return { textId, hasButtons };
	}
	await accepts('send.image', image({ url: pictureUrl }));
	const caption = 'x'.repeat(CAPTION_MAX + 1);
	findings.refusal('send.long-caption', await send(run, image({ url: pictureUrl, caption })));
	const two: Answer = await send(run, image({ url: pictureUrl }, { url: pictureUrl }));
	findings.record('send.one-file', !isSent(two), findings.foundIn(two));
	return { textId, hasButtons };
}
