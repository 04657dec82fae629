import type { ServiceClient } from '../../../service/client';
import type { ListedTemplate } from '../../../service/contract';
import { readTemplates } from '../../../shared/templates';
import type { KnownTemplate, TemplateReadingOptions } from '../../../shared/templates';
import { steadyClock } from '../../../shared/tools/clock';

export interface TemplateName {
	name: string;
	language: string;
}

/** When a client, of which each execution has one, first needed a template: by the steady clock. */
const starts = new WeakMap<ServiceClient, number>();

function startOf(client: ServiceClient): number {
	const start = starts.get(client) ?? steadyClock.now();
	starts.set(client, start);
	return start;
}

/**
 * The approved template, as remembered. Undefined if it cannot be read, is not among them, or two
 * businesses have different ones of this name.
 * @returns `readAt`, an ISO date, if it was not read for this execution
 * @throws Error if the credential's Templates Path cannot be used
 */
export async function rememberedTemplate(
	client: ServiceClient,
	channelId: string,
	wanted: TemplateName,
): Promise<{ isRead: boolean; template?: ListedTemplate; readAt?: string }> {
	const start = startOf(client);
	const { reading, found } = await look(client, channelId, wanted, { status: 'APPROVED' });
	if (!reading) return { isRead: false };
	const template = theSame(found);
	if (!template) return { isRead: found.length === 0 };
	const since = Math.min(...found.map((known) => known.since));
	if (since >= start) return { isRead: true, template };
	const readAt = new Date(Date.now() - (steadyClock.now() - since)).toISOString();
	return { isRead: true, template, readAt };
}

/**
 * The template, read for this execution, if the service tells. What an earlier one could not find
 * is not looked for again while that is remembered: the service decides.
 * @throws Error if there is none
 */
export async function freshTemplate(
	client: ServiceClient,
	channelId: string,
	wanted: TemplateName,
	notBefore = startOf(client),
): Promise<ListedTemplate | undefined> {
	const before = await look(client, channelId, wanted, {});
	if (before.reading && before.found.length === 0 && before.reading.since < notBefore)
		return undefined;
	const { reading, found } = await look(client, channelId, wanted, { notBefore });
	if (!reading) return undefined;
	if (found.length === 0) {
		if (reading.isComplete) throw new Error(absence(wanted, reading.templates));
		return undefined;
	}
	const approved = found.filter(({ template }) => isApproved(template));
	if (approved.length === 0) throw new Error(notApproved(wanted, found));
	return theSame(approved);
}

async function look(
	client: ServiceClient,
	channelId: string,
	wanted: TemplateName,
	options: TemplateReadingOptions,
) {
	// A path that cannot be used is a mistake of the user, and no failure of the service.
	client.templatesPath();
	const all = { ...options, wanted };
	const reading = await readTemplates(client, channelId, all).catch(() => undefined);
	const found =
		reading?.templates.filter(({ template }) => template.language === wanted.language) ?? [];
	return { reading, found };
}

/** A service that names no status offers what can be sent. */
const isApproved = ({ status }: ListedTemplate): boolean =>
	!status || status.toUpperCase() === 'APPROVED';

/** The one template of several businesses, if they all have the same. */
function theSame(found: readonly KnownTemplate[]): ListedTemplate | undefined {
	const [first, ...others] = found.map(({ template }) => template);
	const partsOf = ({ category, components }: ListedTemplate) =>
		JSON.stringify([category, components]);
	return first && others.every((other) => partsOf(other) === partsOf(first)) ? first : undefined;
}

function absence({ name, language }: TemplateName, known: readonly KnownTemplate[]): string {
	const languages = new Set(known.map(({ template }) => template.language));
	return languages.size === 0
		? `The account has no template "${name}". It may have been deleted: choose another one in "Template", or check its name.`
		: `The template "${name}" has no language "${language}", only ${[...languages].join(', ')}. Set "Language Code" to one of these, or choose the template from the list.`;
}

function notApproved({ name, language }: TemplateName, found: readonly KnownTemplate[]): string {
	const status = found[0]?.template.status ?? 'not approved';
	const remedy =
		REMEDIES.get(status.toUpperCase()) ?? 'Choose another one, or wait until it is approved.';
	return `The template "${name}" (${language}) is ${status}, and only an APPROVED one can be sent. ${remedy}`;
}

/** What to do about a template that cannot be sent now. The statuses are published. */
const REMEDIES = new Map([
	['REJECTED', 'Change it with Template → Update, which submits it again, or choose another one.'],
	[
		'PAUSED',
		'The chat application paused it because customers reported it: change it with Template → Update, or choose another one.',
	],
]);
