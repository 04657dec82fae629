import { getChannel } from '../service/channels';
import type { ServiceClient } from '../service/client';
import type { Business, ListedTemplate } from '../service/contract';
import { idKey } from '../service/contract';
import { listBusinesses, TEMPLATE_PAGES_MAX, templatePages } from '../service/templates';
import { steadyClock } from './clock';
import { Remembered } from './remembered';

/** Milliseconds. */
const REMEMBERED = 5 * 60_000;
const REQUEST_TIMEOUT = 5_000;
/** After this time no further page is begun. */
const READING_TIME = 15_000;

/** A template, and the business account that has it. */
export interface KnownTemplate {
	template: ListedTemplate;
	business: Business;
}

/** What was read. */
export interface TemplateReading {
	templates: KnownTemplate[];
	/** Whether the service lists a business, or the channel names its own. */
	hasBusiness: boolean;
	/** Whether there is a business, and all of its pages were read. */
	isComplete: boolean;
}

interface BusinessPages {
	templates: ListedTemplate[];
	isComplete: boolean;
}

const businessesOfChannel = new Remembered<Business[]>(REMEMBERED, 200);
const templatesOfBusiness = new Remembered<BusinessPages>(REMEMBERED, 40);

export interface TemplateReadingOptions {
	/** As the service names it. Left out: all of them. */
	status?: string;
	/** What was read earlier, by the steady clock, is read again. */
	notBefore?: number;
}

/**
 * The templates of a channel's business account. If its business cannot be read, those of all of
 * the account's businesses. Remembered for five minutes in this process.
 * @throws ServiceError if they cannot be listed, Error if the Templates Path cannot be used
 */
export async function readTemplates(
	client: ServiceClient,
	channelId: string | undefined,
	{ status, notBefore }: TemplateReadingOptions = {},
): Promise<TemplateReading> {
	const place = `${client.account} ${client.templatesPath().join('/')}`;
	const businesses = await businessesOfChannel.get(
		`${place} ${channelId === undefined ? '' : idKey(channelId)}`,
		async () => await readBusinesses(client, channelId),
		notBefore,
	);
	const all = await Promise.all(
		businesses.map(async (business) => {
			const read = await templatesOfBusiness.get(
				`${place} ${business.businessId} ${status ?? ''}`,
				async () => await readPages(client, business, status),
				notBefore,
			);
			return {
				templates: read.templates.map((template) => ({ template, business })),
				isComplete: read.isComplete,
			};
		}),
	);
	return {
		templates: all.flatMap(({ templates }) => templates),
		hasBusiness: all.length > 0,
		isComplete: all.length > 0 && all.every(({ isComplete }) => isComplete),
	};
}

/** Accounts without the ENTERPRISE role cannot read a channel. */
async function readBusinesses(
	client: ServiceClient,
	channelId: string | undefined,
): Promise<Business[]> {
	const channel =
		channelId === undefined
			? undefined
			: await getChannel(client, channelId, REQUEST_TIMEOUT).catch(() => undefined);
	const businessId: unknown = channel?.businessId;
	return typeof businessId === 'string' && businessId !== ''
		? [{ businessId }]
		: await listBusinesses(client, REQUEST_TIMEOUT);
}

async function readPages(
	client: ServiceClient,
	{ businessId }: Business,
	status: string | undefined,
): Promise<BusinessPages> {
	const until = steadyClock.now() + READING_TIME;
	const templates: ListedTemplate[] = [];
	let pages = 0;
	let isComplete = true;
	const query = {
		...(status ? { status } : {}),
		timeout: REQUEST_TIMEOUT,
		onLeftOut: () => (isComplete = false),
	};
	for await (const page of templatePages(client, businessId, query)) {
		templates.push(...page);
		pages += 1;
		if (pages === TEMPLATE_PAGES_MAX || steadyClock.now() > until)
			return { templates, isComplete: false };
	}
	return { templates, isComplete };
}
