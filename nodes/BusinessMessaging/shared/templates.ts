import { getChannel } from '../service/channels';
import type { ServiceClient } from '../service/client';
import { type Business, idKey, type ListedTemplate } from '../service/contract';
import { listBusinesses, templatePages } from '../service/template/lists';
import { steadyClock } from './tools/clock';
import { fewAtATime, Remembered } from './tools/remembered';

/** Milliseconds. */
const REMEMBERED = 5 * 60_000;
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
}

interface BusinessPages {
	since: number;
	templates: ListedTemplate[];
	/** An account can have thousands, and each item looks for one. */
	byName: Map<string, ListedTemplate[]>;
	isComplete: boolean;
}

const businessesOfChannel = new Remembered<Business[]>(REMEMBERED, 200);
const templatesOfBusiness = new Remembered<BusinessPages>(REMEMBERED, BUSINESSES_MAX);

export interface TemplateReadingOptions {
	/** As the service names it. Left out: all of them. */
	status?: string;
	/** What was read earlier, by the steady clock, is read again. */
	notBefore?: number;
	/** Of the templates that were read, those of this name. Left out: all of them. */
	name?: string;
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
		if (steadyClock.now() > until) return { templates: [], isComplete: false };
		const read = await templatesOf(client, business.businessId, options);
		const { name } = options;
		const found = name === undefined ? read.templates : (read.byName.get(name) ?? []);
		return {
			templates: found.map((template) => ({ template, business, since: read.since })),
			isComplete: read.isComplete,
		};
	});
	return {
		templates: all.flatMap(({ templates }) => templates),
		hasBusiness: all.length > 0,
		isComplete:
			businesses.length > 0 &&
			businesses.length <= BUSINESSES_MAX &&
			all.every(({ isComplete }) => isComplete),
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
		async () => await readPages(client, businessId, status),
		notBefore,
	);

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

async function readPages(
	client: ServiceClient,
	businessId: string,
	status: string | undefined,
): Promise<BusinessPages> {
	const since = steadyClock.now();
	const read: BusinessPages = { since, templates: [], byName: new Map(), isComplete: true };
	let pages = 0;
	const query = {
		...(status ? { status } : {}),
		timeout: REQUEST_TIMEOUT,
		onLeftOut: () => (read.isComplete = false),
	};
	for await (const page of templatePages(client, businessId, query)) {
		read.templates.push(...page);
		for (const template of page) {
			const others = read.byName.get(template.name);
			if (others) others.push(template);
			else read.byName.set(template.name, [template]);
		}
		pages += 1;
		if (pages === PAGES_MAX || steadyClock.now() > since + READING_TIME)
			return { ...read, isComplete: false };
	}
	return read;
}
