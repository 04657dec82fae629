/** The list of *Template*, of an account with 300 templates. */
import { until } from '../../scripts/until.mts';
import { ownAccount } from '../host/harness/examples.mts';
import { ACTION, type Host } from '../host/harness/host.mts';
import { N8nWindow } from './harness/window.mts';

const LANGUAGES = ['en_US', 'es', 'fr', 'pt_BR'];
const NAMES = Array.from({ length: 75 }, (_, index) => `notice_${String(index).padStart(2, '0')}`);
const WANTED = 'notice_74';
const ENTRY = '[data-test-id="rlc-item"]';
/** Far above what an idle machine takes, which is told, because tests share processors. */
const LIMIT_MS = 10_000;

const window = new N8nWindow();
let host: Host;

beforeAll(async () => {
	const account = await ownAccount(['Notices']);
	({ host } = account);
	for (const name of NAMES)
		for (const language of LANGUAGES)
			await host.sandbox.post('/_sandbox/message-templates', {
				...{ name, language, body: 'News for {{1}}', status: 'APPROVED' },
				tenant: account.tenantId,
			});
	const parameters = {
		...{ resource: 'message', operation: 'sendTemplate' },
		channelId: { __rl: true, mode: 'list', value: account.channels[0] ?? '' },
	};
	await window.openNew(host, [host.node('Send', ACTION, parameters)]);
	await window.build.openNode('Send');
}, 180_000);
afterAll(async () => await host?.cleanUp());

interface Read {
	time: string;
	duration: number;
}

/** The service's answers to requests for templates. */
async function reads(): Promise<Read[]> {
	const { requests } = await host.sandbox.get<{ requests: Array<Read & { path: string }> }>(
		'/_sandbox/requests?method=GET&path=/chatapp/businesses&limit=1000',
	);
	return requests.filter(({ path }) => path.endsWith('/templates'));
}

/** Notes in the page when this name is first listed in each language, at the top of the list. */
async function watchFor(name: string): Promise<() => Promise<number>> {
	await window.page.evaluate(
		`(() => {
			window.appeared = undefined;
			const look = () => {
				const entries = [...document.querySelectorAll('${ENTRY}')].slice(0, ${LANGUAGES.length});
				const found = entries.filter((entry) => entry.textContent.includes('${name}'));
				if (found.length < ${LANGUAGES.length}) return;
				window.appeared ??= Date.now();
				observer.disconnect();
			};
			const observer = new MutationObserver(look);
			observer.observe(document.body, { childList: true, subtree: true, characterData: true });
		})()`,
	);
	return async () =>
		await until(
			`${name} at the top of the list`,
			async () => await window.page.evaluate<number | undefined>('window.appeared'),
			60_000,
		);
}

test('shows its entries soon after the service answered, all pages of it', async () => {
	const before = (await reads()).length;
	const appeared = await watchFor('notice_00');
	await window.build.openList('template');
	const at = await appeared();
	const pages = (await reads()).slice(before);
	// The last full page names a cursor, too.
	expect(pages).toHaveLength(4);
	const answered = Math.max(...pages.map(({ time, duration }) => Date.parse(time) + duration));
	console.log(`300 templates were listed ${at - answered} ms after the service's last answer`);
	expect(at - answered).toBeLessThan(LIMIT_MS);
});

test('finds a name in every language while it is typed, and asks the service nothing more', async () => {
	const before = (await reads()).length;
	const appeared = await watchFor(WANTED);
	// The list has the focus.
	const { page } = window;
	await page.keyboard.type(WANTED);
	const typed = Date.now();
	const at = await appeared();
	console.log(`${WANTED} was found ${at - typed} ms after it was typed`);
	expect(at - typed).toBeLessThan(LIMIT_MS);
	expect(await reads()).toHaveLength(before);
	const entries = await page.locator(`${ENTRY}:visible`).allInnerTexts();
	expect(entries.map((entry) => entry.trim())).toEqual(
		LANGUAGES.map((language) => expect.stringContaining(`${WANTED} · ${language}`) as string),
	);
	await page.locator(`${ENTRY}:visible`).first().click();
	await page.getByText('1 · News for').waitFor();
});
