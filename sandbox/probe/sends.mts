import {
	additionalPartsOf,
	businessesSchema,
	CAPTION_MAX,
	type ListedTemplate,
	PARAMETER_NAME_FIELD,
	placeholdersIn,
	TEMPLATE_PAGE_SIZE,
	templatePageSchema,
	variablesOf,
	WINDOW_CLOSED,
	WINDOW_CLOSED_PATTERN,
} from '../contract.mts';
import type { FactId } from '../facts/catalogue.mts';
import type { Verdict } from './findings.mts';
import { canSend, isSent, messageIdIn, type Run, send, text, without } from './runContext.mts';
import type { Answer } from './wire.mts';

/** The button that the person taps. */
export const BUTTON = { id: 'probe-yes', title: 'Yes' };

/**
 * How a service refuses every template on a channel of a kind without them. In the singular, it
 * could mean the unknown one.
 */
const NO_TEMPLATES = /\bno templates\b|\btemplates are not supported\b|\bnot support templates\b/i;

/** How a service refuses every contact on a channel of a kind that takes none. */
const NO_CONTACTS = /\bno contacts\b|\bcontacts are not supported\b|\bnot support contacts\b/i;

const templateOf = (name: string, code: string, parameters: object[]) => {
	const language = { policy: 'deterministic', code };
	const components = [{ type: 'body', parameters }];
	return { type: 'TEMPLATE', attachments: [{ template: { name, language, components } }] };
};

/** Asks what is refused before the customer has written. */
export async function probeSends(run: Run): Promise<string | void> {
	const { findings, unknownId } = run;
	if (!canSend(run)) return without('--allow sends', '--phone');
	findings.refusal('send.unknown-channel', await send(run, text('Probe'), unknownId));
	findings.refusal('send.malformed', await send(run, undefined));
	const unknown = await send(run, templateOf('probe_no_such_template', 'en_US', []));
	if (unknown.shape !== 'D' && NO_TEMPLATES.test(unknown.words ?? ''))
		findings.skip('the channel has no templates', 'send.unknown-template');
	else findings.refusal('send.unknown-template', unknown);
	findings.note({ 'send.named-variables': await namesVerdict(run) });
	run.early = await send(run, text('A probe of the service: is the window closed?'));
	// Its events tell whether the window was open. They come once there is a webhook.
	if (isSent(run.early)) return;
	if (isClosedWindow(run.early)) noteClosed(run);
	else run.say('… a text was refused. Whether the window is why shows when you have written.');
}

/**
 * Asks with a name that the template does not have. A service that reads names refuses it, which
 * costs nothing.
 */
async function namesVerdict(run: Run): Promise<Verdict> {
	const template = await namedTemplate(run);
	if (!template) return 'needs an approved template whose body alone has variables, with names';
	const parameters = namesIn(template).map((_name, at) => ({
		...{ type: 'text', text: 'Probe' },
		[PARAMETER_NAME_FIELD]: `probe_no_such_name_${at}`,
	}));
	const answer = await send(run, templateOf(template.name, template.language, parameters));
	if (isSent(answer)) return { word: 'position' };
	// Only the chat application reads names. The service itself could refuse the field.
	const isAbout = answer.shape === 'D' && /parameter|variable/i.test(answer.words ?? '');
	return isAbout || 'the refusal does not tell whether names are read';
}

/** A template of the account that takes named variables in its body, and nothing else. */
async function namedTemplate({ call, templatesPath }: Run): Promise<ListedTemplate | undefined> {
	const businesses = businessesSchema.safeParse((await call(templatesPath)).body).data ?? [];
	// Enough to find one, and few requests.
	for (const { businessId } of businesses.slice(0, 5)) {
		const query = `limit=${TEMPLATE_PAGE_SIZE.max}&status=APPROVED`;
		const { body } = await call(
			`${templatesPath}/${encodeURIComponent(businessId)}/templates?${query}`,
		);
		const found = templatePageSchema
			.safeParse(body)
			.data?.data.find(
				(template) =>
					namesIn(template).length > 0 &&
					variablesOf(template).every(({ id, isNeeded }) => !isNeeded || id.startsWith('body.')) &&
					additionalPartsOf(template).length === 0,
			);
		if (found) return found;
	}
	return undefined;
}

/** The names of the variables of a body. Empty if they are numbers. */
function namesIn({ components }: ListedTemplate): string[] {
	const names = (components ?? [])
		.filter(({ type }) => type.toUpperCase() === 'BODY')
		.flatMap(({ text }) => placeholdersIn(text ?? ''));
	return names.some((name) => /^\d+$/.test(name)) ? [] : names;
}

/** Whether the nodes take a refusal for a closed window. */
const isClosedWindow = ({ status, words }: Answer): boolean =>
	status === WINDOW_CLOSED.status && WINDOW_CLOSED_PATTERN.test(words ?? '');

const WINDOW: FactId[] = ['send.window-closed', 'send.refused-at-once', 'send.window-recognised'];

/** The window was open, or nothing tells. */
export const skipClosed = ({ findings }: Run): void =>
	findings.skip(
		'the window of the phone was open, or the channel has none. Use a phone that has not written for 24 hours',
		...WINDOW,
	);

/** A refusal before the customer wrote, whose reason was the window. */
function noteClosed({ findings, early }: Run): void {
	if (!early || isSent(early)) return;
	findings.note({
		'send.refused-at-once': true,
		'send.window-recognised': isClosedWindow(early) || findings.foundIn(early),
	});
	findings.refusal('send.window-closed', early);
}

/** What the sends gave for the part that waits for their events. */
export interface Sent {
	textId: string | undefined;
	hasButtons: boolean;
}

/** Sends each kind while the window is open. @param url of a picture, if it can be fetched */
export async function sendKinds(run: Run, url: string | undefined): Promise<Sent> {
	const { findings, phone } = run;
	const accepts = (id: FactId, answer: Answer) =>
		findings.success(id, answer, () => messageIdIn(answer) !== undefined);
	const answer = await send(run, text('A probe of the service: the window is open.'));
	const textId = messageIdIn(answer);
	if (accepts('send.text', answer)) noteClosed(run);
	else findings.skip('a text was refused after you had written, too', ...WINDOW);
	const isForm = /^[0-9a-f]{32}$/i.test(textId ?? '') || { number: textId?.length ?? 0 };
	findings.note({ 'send.id-form': textId === undefined ? 'no text was accepted' : isForm });
	const buttons = {
		...{ type: 'INTERACTIVE_BUTTON', body: { message: 'A probe of the service. Please tap Yes.' } },
		attachments: [BUTTON, { id: 'probe-no', title: 'No' }],
	};
	const hasButtons = accepts('send.buttons', await send(run, buttons));
	const contact = { type: 'CONTACT', attachments: [{ name: 'Probe', phones: [phone] }] };
	const contacted = await send(run, contact);
	if (NO_CONTACTS.test(contacted.words ?? ''))
		findings.skip('the channel takes no contacts', 'send.contact');
	else accepts('send.contact', contacted);
	const actions = {
		...{ type: 'INTERACTIVE_ACTION', body: { message: 'A probe: a link.' } },
		attachments: [{ id: 'probe-open', title: 'Open', name: 'URL', url: 'https://example.com' }],
	};
	accepts('send.actions', await send(run, actions));
	const image = async (...attachments: object[]) => await send(run, { type: 'IMAGE', attachments });
	findings.refusal('send.url-required', await image({}));
	findings.refusal('send.invalid-url', await image({ url: 'no-url' }));
	if (url === undefined)
		findings.skip(without('--public-url'), 'send.image', 'send.one-file', 'send.long-caption');
	else {
		accepts('send.image', await image({ url }));
		const caption = 'x'.repeat(CAPTION_MAX + 1);
		findings.refusal('send.long-caption', await image({ url, caption }));
		const two = await image({ url }, { url });
		findings.note({ 'send.one-file': !isSent(two) || findings.foundIn(two) });
	}
	return { textId, hasButtons };
}
