import { sandboxPage } from './harness/sandboxPage.mts';

const on = sandboxPage();

/** The page's rendering of a text, as `text[link]text`. */
const shown = (text: string) =>
	on.run<string>(
		`import('/page/links.js').then(({ linked }) => linked(${JSON.stringify(text)})
			.map((part) => typeof part === 'string' ? part : '[' + part.querySelector('bdi').textContent + ']').join(''))`,
	);

/** Texts with their links in brackets. */
const TEXTS = [
	'See [https://shop.example.com/orders/1].',
	'[HTTPS://SHOP.EXAMPLE.COM] and [http://a.example]',
	'([https://a.example/wiki/A_(b)]), really?',
	'*[https://a.example/b]* “[https://a.example/c]”',
	'[https://a.example/?q=1&r=(2)#x]!?',
	'[https://דוגמה.example/א] ועוד',
	'[https://a.example/]\u202Egpj.exe',
	'a.example, www.a.example, ftp://a.example',
	'javascript:alert(1) data:text/html,x https:// http://?',
];

it('links the http and https addresses in a text, of the sandbox only its files', async () => {
	await on.view('connect');
	const { url } = on.sandbox;
	for (const text of [...TEXTS, `${url}/_sandbox/state [${url}/page/sample.webp]`])
		expect(await shown(text.replaceAll(/[[\]]/g, ''))).toBe(text);
});

it('opens a message’s link in a tab that learns nothing of the page', async () => {
	const script = '<script>document.title=1</script>';
	const address = `${on.sandbox.url}/page/sample.webp`;
	await on.writes(`${script} ${address}, please`);
	await on.openChat();
	const link = on.bubble('You wrote').getByRole('link', { name: address });
	const [opened] = await Promise.all([on.page.waitForEvent('popup'), link.click()]);
	await opened.waitForURL(address);
	expect(await opened.evaluate('[window.opener, document.referrer]')).toEqual([null, '']);
	await opened.close();
	expect(await on.page.title()).toBe('Chats · Sandbox');
	await on.isAccessible();
});

it.each([
	['closing parentheses', `https://a.example/${')'.repeat(250_000)}`],
	['addresses without an end', 'https://'.repeat(30_000)],
	['beginnings', 'http'.repeat(60_000)],
])('reads %s, a quarter of a megabyte, in a time that grows as it does', async (_what, text) => {
	await on.view('connect');
	expect(await on.growthOf('links', 'linked', text)).toBeLessThan(10 * 32);
});
