import { barriers } from './harness/accessibility.mts';
import { takePicture } from './harness/browser.mts';
import { CUSTOMER, DESKTOP, PHONE, sandboxPage } from './harness/sandboxPage.mts';

const on = sandboxPage();

/** The page's rendering of a text, as HTML. */
const shown = (text: string) =>
	on.page.evaluate<string>(
		`import('/page/said.js').then(({ said }) => said(${JSON.stringify(text)}).innerHTML)`,
	);

const ROWS: Array<[what: string, text: string, html: string]> = [
	['bold', 'This is *bold*.', '<p>This is <strong>bold</strong>.</p>'],
	['italic and struck out', '_new_ ~old~', '<p><em>new</em> <s>old</s></p>'],
	['marks in marks', '*_a_ ~b~*', '<p><strong><em>a</em> <s>b</s></strong></p>'],
	['marks beside signs', '"*a*", (_b_)!', '<p>"<strong>a</strong>", (<em>b</em>)!</p>'],
	['a script without blanks', '这是*重要*的', '<p>这是<strong>重要</strong>的</p>'],
	['code', 'Use `a * b * c`, `_x_`', '<p>Use <code>a * b * c</code>, <code>_x_</code></p>'],
	['code with a backtick', '```a ` b```', '<p><code>a ` b</code></p>'],
	['bold code', '*`x`*', '<p><strong><code>x</code></strong></p>'],

	['calculations and names', '2*3*4, 5 * 6 * 7, a_b_c', '<p>2*3*4, 5 * 6 * 7, a_b_c</p>'],
	['signs before numbers', '~5 or ~10 minutes', '<p>~5 or ~10 minutes</p>'],
	['signs behind numbers', 'a 5* and a 4* hotel', '<p>a 5* and a 4* hotel</p>'],
	['a mark that never closes', '*Prices may change', '<p>*Prices may change</p>'],
	['a mark over two lines', '*one\ntwo*', '<p>*one\ntwo*</p>'],
	['a mark around blanks', 'a * b * c', '<p>a * b * c</p>'],
	['nothing inside', '** **** __', '<p>** **** __</p>'],
	['marks that cross', '*a _b* c_', '<p><strong>a _b</strong> c_</p>'],
	['marks of Markdown', '**a**', '<p>*<strong>a</strong>*</p>'],

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
	['dashes and years', '-5 degrees\n2024. A year', '<p>-5 degrees\n2024. A year</p>'],
	[
		'a quote',
		'> *a*\n> - b\n> > c\nd',
		'<blockquote><div class="said"><p><strong>a</strong></p><ul><li>b</li></ul><p>&gt; c</p></div></blockquote><p>d</p>',
	],
	['an arrow', '>a -> b', '<p>&gt;a -&gt; b</p>'],
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
	['a block that never closes', 'a\n```\nb', '<p>a\n```\nb</p>'],
	[
		'markup',
		'*<b>&amp;</b>* `<img src=x onerror=alert(1)>`',
		'<p><strong>&lt;b&gt;&amp;amp;&lt;/b&gt;</strong> <code>&lt;img src=x onerror=alert(1)&gt;</code></p>',
	],
];

it('shows the marks of the chat application, and leaves other signs alone', async () => {
	await on.view('connect');
	for (const [what, text, html] of ROWS)
		expect({ what, html: await shown(text) }).toEqual({ what, html });
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

it.each([
	['a desktop', 'light', DESKTOP],
	['a desktop', 'dark', DESKTOP],
	['a phone', 'light', PHONE],
	['a phone', 'dark', PHONE],
] as const)('shows them to both sides, on %s in %s', async (width, colorScheme, viewport) => {
	await on.reopen({ viewport, colorScheme });
	const script = '*<script>document.title=1</script>*';
	await on.sandbox.inbound(CUSTOMER, `_Hello?_ ${script}\n- \`a\``, { name: 'Ana Example' });
	await on.sandbox.send(CUSTOMER, REPLY);
	await on.view(`chats/${CUSTOMER}`);
	const reply = on.bubble('Your order 1024');
	await reply.locator('strong', { hasText: 'Your order 1024' }).waitFor();
	expect(await reply.locator('ol > li').first().innerText()).toBe('Blue shoes, size 42');
	expect(await reply.locator('pre').innerText()).toBe('Packed    09:10\nShipped   11:45');
	expect(await reply.locator('blockquote').innerText()).toBe('When does it come?');
	expect(await on.page.locator('.mine strong').innerText()).toBe(script.slice(1, -1));
	expect(await on.page.locator('.messages script').count()).toBe(0);
	expect(await on.page.title()).toBe('Chats · Sandbox');
	expect(await barriers(on.page)).toEqual([]);
	await takePicture(on.page, `sandbox-marks-${width.split(' ')[1]}-${colorScheme}`);
});

const SIZE = 250_000;
const filled = (part: string) => part.repeat(SIZE / part.length);

it.each([
	['stars', filled('*')],
	['marks that open', filled('*a _b ~c ')],
	['marks that could close', filled('a* b_ c~ ')],
	['pairs of marks', filled('*a* ')],
	['backticks', filled('`')],
	['fences in a line', filled('``` ')],
	['fences in lines', filled('```\n')],
	['open blocks in lines', filled('a```b\n')],
	['quotes in quotes', filled('> ')],
	['items', filled('- a\n')],
	['empty items', filled('1. ')],
	['line breaks', `a${filled('\n')}b${filled('\n')}`],
	['blanks', `-${filled(' ')}`],
])('reads %s, a quarter of a megabyte, at once', async (_what, text) => {
	await on.view('connect');
	// Tens of milliseconds when it reads each character a few times, and minutes when it reads all
	// for each.
	const took = await on.page.evaluate<number>(
		`import('/page/said.js').then(({ said }) => {
			const start = performance.now();
			said(${JSON.stringify(text)});
			return performance.now() - start;
		})`,
	);
	expect(took).toBeLessThan(2000);
});
