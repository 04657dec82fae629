import { CUSTOMER, sandboxPage, WIDTHS } from './harness/sandboxPage.mts';

const on = sandboxPage();

/** The page's rendering of a text, as HTML. */
const shown = (text: string) =>
	on.run<string>(
		`import('/page/said.js').then(({ said }) => said(${JSON.stringify(text)}).innerHTML)`,
	);

/** A text in one paragraph, and its HTML. */
const LINES: Array<[what: string, text: string, html: string]> = [
	['bold', 'This is *bold*.', 'This is <strong>bold</strong>.'],
	['italic and struck out', '_new_ ~old~', '<em>new</em> <s>old</s>'],
	['marks in marks', '*_a_ ~b~*', '<strong><em>a</em> <s>b</s></strong>'],
	['marks beside signs', '"*a*", (_b_)!', '"<strong>a</strong>", (<em>b</em>)!'],
	['a script without blanks', '这是*重要*的', '这是<strong>重要</strong>的'],
	['code', 'Use `a * b * c`, `_x_`', 'Use <code>a * b * c</code>, <code>_x_</code>'],
	['code with a backtick', '```a ` b```', '<code>a ` b</code>'],
	['bold code', '*`x`*', '<strong><code>x</code></strong>'],
	['marks that cross', '*a _b* c_', '<strong>a _b</strong> c_'],
	['marks of Markdown', '**a**', '*<strong>a</strong>*'],
	['an arrow', '>a -> b', '&gt;a -&gt; b'],
	[
		'markup',
		'*<b>&amp;</b>* `<img src=x onerror=alert(1)>`',
		'<strong>&lt;b&gt;&amp;amp;&lt;/b&gt;</strong> <code>&lt;img src=x onerror=alert(1)&gt;</code>',
	],
];
/** What is no mark. */
const PLAIN = [
	...['2*3*4, 5 * 6 * 7, a_b_c', '~5 or ~10 minutes', 'a 5* and a 4* hotel', '*Prices may change'],
	...['*one\ntwo*', 'a * b * c', '** **** __', '-5 degrees\n2024. A year', 'a\n```\nb'],
];
const BLOCKS: Array<[what: string, text: string, html: string]> = [
	[
		'a list',
		'We have:\n- *tea*\n* milk\n\nBye',
		'<p>We have:</p><ul><li><strong>tea</strong></li><li>milk</li></ul><p>Bye</p>',
	],
	[
		'numbers with a list inside',
		'3. three\n  - inner\n4. four',
		'<ol><li value="3">three</li></ol><ul><li class="inner">inner</li></ul><ol><li value="4">four</li></ol>',
	],
	[
		'a quote',
		'> *a*\n> - b\n> > c\nd',
		'<blockquote><div class="said"><p><strong>a</strong></p><ul><li>b</li></ul><p>&gt; c</p></div></blockquote><p>d</p>',
	],
	[
		'a block of code',
		'Run:\n```\nx = *a*\n\n> y\n```\n_done_',
		'<p>Run:</p><pre><code>x = *a*\n\n&gt; y</code></pre><p><em>done</em></p>',
	],
	[
		'blocks behind one another',
		'a ```b\nc``` d ```e\nf```',
		'<p>a </p><pre><code>b\nc</code></pre><p> d </p><pre><code>e\nf</code></pre>',
	],
	[
		'a block in a quote',
		'> ```\n> a\n> ```\nb',
		'<blockquote><div class="said"><pre><code>a</code></pre></div></blockquote><p>b</p>',
	],
];

it('shows the marks of the chat application, and leaves other signs alone', async () => {
	await on.view('connect');
	for (const [what, text, html] of [
		...LINES.map(([what, text, line]) => [what, text, `<p>${line}</p>`]),
		...PLAIN.map((text) => [text, text, `<p>${text}</p>`]),
		...BLOCKS,
	])
		expect({ what, html: await shown(text!) }).toEqual({ what, html });
});

it('keeps the marks within an address, and links it within marks', async () => {
	await on.view('connect');
	const html = await shown('*See https://a.example/x_y_z* _now_');
	expect(html).toMatch(/^<p><strong>See <a href="https:\/\/a\.example\/x_y_z"/);
	expect(html).toMatch(/<\/a><\/strong> <em>now<\/em><\/p>$/);
});

const REPLY = `*Your order 1024*
_On its way_ since ~Monday~ Tuesday:

1. *Blue shoes*, size 42
2. Laces
  - two pairs

> When does it come?
Tomorrow. Track it with \`1024-A\`:

\`\`\`
Packed    09:10
Shipped   11:45
\`\`\`
More: https://shop.example.com/orders/1024_a`;

describe.each(WIDTHS)('on %s', (_width, viewport) => {
	it.each(['light', 'dark'] as const)('shows them to both sides in %s', async (colorScheme) => {
		await on.reopen({ viewport, colorScheme });
		const script = '*<script>document.title=1</script>*';
		await on.writes(`_Hello?_ ${script}\n- \`a\``);
		await on.sandbox.send(CUSTOMER, REPLY);
		await on.openChat();
		const reply = on.bubble('Your order 1024');
		await reply.locator('strong', { hasText: 'Your order 1024' }).waitFor();
		expect(await reply.locator('ol > li').first().innerText()).toBe('Blue shoes, size 42');
		expect(await reply.locator('pre').innerText()).toBe('Packed    09:10\nShipped   11:45');
		expect(await reply.locator('blockquote').innerText()).toBe('When does it come?');
		expect(await on.page.locator('.mine strong').innerText()).toBe(script.slice(1, -1));
		expect(await on.page.locator('.messages script').count()).toBe(0);
		expect(await on.page.title()).toBe('Chats · Sandbox');
		await on.isAccessible();
	});
});

const filled = (part: string) => part.repeat(250_000 / part.length);

it.each([
	...['*', 'a _b ~c ', 'a* b_ c~ ', '*a* ', '`', '``` '].map((part) => [part, filled(part)]),
	...['```\n', 'a```b\n', '> ', '- a\n', '1. '].map((part) => [part, filled(part)]),
	['line breaks', `a${filled('\n')}b${filled('\n')}`],
	['blanks', `-${filled(' ')}`],
])('reads %j, a quarter of a megabyte, in a time that grows as it does', async (_what, text) => {
	await on.view('connect');
	expect(await on.growthOf('said', 'said', text)).toBeLessThan(10 * 32);
});
