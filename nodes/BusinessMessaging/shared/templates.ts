import { getChannel } from '../service/channels';
import type { ServiceClient } from '../service/client';
import { type Business, idKey, type ListedTemplate } from '../service/contract';
import { asError } from '../service/errors';
import { listBusinesses, templatePages } from '../service/template/lists';
import { steadyClock } from './tools/clock';
import { fewAtATime, Remembered } from './tools/remembered';

/** Milliseconds. */
const REMEMBERED = 5 * 60_000;
const FAILURE_REMEMBERED = 15_000;
const REQUEST_TIMEOUT = 5_000;
/** Pages of one business account's templates. */
const PAGES_MAX = 20;
/** Business accounts whose templates are read. */
const BUSINESSES_MAX = 200;
/** After this time no further page, and no further business account, is begun. */
const READING_TIME = 15_000;

/** A template, and the business account that has it. */
export interface KnownTemplate {
	template: ListedTemplate;
	business: Business;
	/** When its reading began, by the steady clock. */
	since: number;
}

/** What was read. */
export interface TemplateReading {
	templates: KnownTemplate[];
	/** Whether the service lists a business, or the channel names its own. */
	hasBusiness: boolean;
	/** Whether there is a business, and all pages of all of them were read. */
	isComplete: boolean;
	/** When the oldest of its readings began, by the steady clock. */
	since: number;
}

interface BusinessPages {
	since: number;
	templates: ListedTemplate[];
	/** An account can have thousands, and each item looks for one. */
	byName: Map<string, ListedTemplate[]>;
	/** The cursor of what is not read yet. Undefined at the end. */
	after: string | undefined;
	/** Until when nothing is read on, after a failure. */
	waitsUntil?: number;
	/** False if something could not be read. */
	hasAll: boolean;
	/** Reads on, once for all who wait for it. */
	rest?: Promise<void> | undefined;
}

const businessesOfChannel = new Remembered<Business[]>(REMEMBERED, 200);
const templatesOfBusiness = new Remembered<BusinessPages>(REMEMBERED, BUSINESSES_MAX);

export interface TemplateReadingOptions {
	/** As the service names it. Left out: all of them. */
	status?: string;
	/** What was read earlier, by the steady clock, is read again. */
	notBefore?: number;
	/** Those of this name, until one has the language. Left out: those of the first pages. */
	wanted?: { name: string; language: string };
}

/**
 * The templates of a channel's business account. If its business cannot be read, those of all of
 * the account's businesses. Remembered for five minutes in this process.
 * @throws ServiceError if they cannot be listed, Error if the Templates Path cannot be used
 */
export async function readTemplates(
	client: ServiceClient,
	channelId: string | undefined,
	options: TemplateReadingOptions = {},
): Promise<TemplateReading> {
	const until = steadyClock.now() + READING_TIME;
	const businesses = await businessesOfChannel.get(
		`${placeOf(client)} ${channelId === undefined ? '' : idKey(channelId)}`,
		async () => await readBusinesses(client, channelId),
		options.notBefore,
	);
	const all = await fewAtATime(businesses.slice(0, BUSINESSES_MAX), async (business) => {
		const since = steadyClock.now();
		if (since > until) return { templates: [], isComplete: false, since };
		const read = await templatesOf(client, business.businessId, options);
		const { wanted, status } = options;
		const named = () => (wanted ? (read.byName.get(wanted.name) ?? []) : read.templates);
		const isMissing = wanted && !named().some(({ language }) => language === wanted.language);
		const readOn = async () => await readPages(client, business.businessId, status, read);
		if (isMissing && read.after !== undefined && since >= (read.waitsUntil ?? 0))
			await (read.rest ??= readOn().finally(() => delete read.rest));
		return {
			templates: named().map((template) => ({ template, business, since: read.since })),
			isComplete: isComplete(read),
			since: read.since,
		};
	});
	return {
		templates: all.flatMap(({ templates }) => templates),
		hasBusiness: all.length > 0,
		since: Math.min(...all.map(({ since }) => since)),
		isComplete:
			businesses.length > 0 &&
			businesses.length <= BUSINESSES_MAX &&
			all.every((read) => read.isComplete),
	};
}

/** The templates of one business account, remembered in the same way. */
export const templatesOf = async (
	client: ServiceClient,
	businessId: string,
	{ status, notBefore }: TemplateReadingOptions = {},
): Promise<BusinessPages> =>
	await templatesOfBusiness.get(
		`${placeOf(client)} ${businessId} ${status ?? ''}`,
		async () => {
			const none = { templates: [], byName: new Map(), after: undefined, hasAll: true };
			const read: BusinessPages = { since: steadyClock.now(), ...none };
			await readPages(client, businessId, status, read);
			return read;
		},
		notBefore,
	);

/** Whether all templates of the business account were read. */
export const isComplete = ({ hasAll, after }: BusinessPages): boolean =>
	hasAll && after === undefined;

const placeOf = (client: ServiceClient): string =>
	`${client.account} ${client.templatesPath().join('/')}`;

/** Accounts without the ENTERPRISE role cannot read a channel. */
async function readBusinesses(
	client: ServiceClient,
	channelId: string | undefined,
): Promise<Business[]> {
	const channel =
		channelId === undefined
			? undefined
			: await getChannel(client, channelId, REQUEST_TIMEOUT).catch(() => undefined);
	const { businessId } = channel ?? {};
	return businessId ? [{ businessId }] : await listBusinesses(client, REQUEST_TIMEOUT);
}

/** Reads some pages, from where the last ones ended. */
async function readPages(
	client: ServiceClient,
	businessId: string,
	status: string | undefined,
	read: BusinessPages,
): Promise<void> {
	const until = steadyClock.now() + READING_TIME;
	let pages = 0;
	const query = {
		...(status ? { status } : {}),
		timeout: REQUEST_TIMEOUT,
		after: read.after,
		onLeftOut: () => (read.hasAll = false),
		onCursor: (after: string | undefined) => (read.after = after),
	};
	try {
		for await (const page of templatePages(client, businessId, query)) {
			read.templates.push(...page);
			for (const template of page) {
				const others = read.byName.get(template.name);
				if (others) others.push(template);
				else read.byName.set(template.name, [template]);
			}
			pages += 1;
			if (pages === PAGES_MAX || steadyClock.now() > until) return;
		}
	} catch (error) {
		// Otherwise each item would wait for the same failure.
		read.waitsUntil = steadyClock.now() + FAILURE_REMEMBERED;
		throw asError(error);
	}
}
