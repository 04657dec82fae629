import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { botHarness, buttons, type Heard, template, text, told } from './playedBot.mts';

jest.setTimeout(60_000);

const { service, botThat } = botHarness();

/** Greets with buttons, names the tapped button, and repeats everything else. */
const helper = ({ text: said, button }: Heard): object[] => {
	if (button !== undefined) return [text(`You want ${button}`)];
	if (said === 'Hello') return [buttons('How can we help?', 'Orders', 'Talk')];
	return [text(`You said ${said}`)];
};

/** On a busy machine, a second message may take a while. */
const LONGER = { settle: '1500ms' };

const GREETING = `
name: Greeting
customers: { ana: { name: Ana } }
steps:
  - ana: writes Hello
  - ana: gets How can we help?
`;

describe('a workflow that follows the script', () => {
	it('passes: texts, expressions, buttons, kinds, taps, colleagues, files and silence', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'rehearsal-'));
		writeFileSync(join(folder, 'note.ogg'), 'OggS');
		const bot = await botThat((heard) => (heard.text === '' ? [text('Heard')] : helper(heard)));
		try {
			const rehearsed = await bot.plays(
				`
name: Everything
pace: 0
customers: { ana: { name: Ana }, ben: }
steps:
  - ana: writes Hello
  - ana: { gets: { matches: '^How', type: INTERACTIVE_BUTTON }, buttons: [Orders, Talk] }
  - ana: taps Orders
  - ana: gets You want orders
  - ana: { sendsFile: note.ogg }
  - ana: { gets: { contains: [HEAR], containsNone: [you] }, within: 10s }
  - business: { writes: I take over, to: ana }
  - ana: { getsNothing: 50ms }
  - together:
      - ana: writes One
      - ben: writes Two
      - ana: gets You said One
      - ben: gets You said Two
  - ana: { sends: { type: BUTTON_REPLY, text: Of another chat, id: other } }
  - ana: gets You want other
  - ana: { reads: true }
`,
				{ folder },
			);
			expect(rehearsed).toMatchObject({ name: 'Everything', problems: [] });
			expect(rehearsed).not.toHaveProperty('broken');
			expect(rehearsed.transcripts.join('\n')).toMatch(
				/✓ [\d:.]+ {2}business {2}You want orders \(line 9\)/,
			);
		} finally {
			rmSync(folder, { recursive: true });
		}
	});

	it('plays templates, a closed window, faults of this account only and the clock', async () => {
		const bot = await botThat(async ({ customer, text: said }, { sends, statuses }) => {
			await sends(customer, text(`You said ${said}`));
			return statuses.at(-1) === 200 ? [] : [template('order', 'Ana', said)];
		});
		await bot.account.addTemplate({ name: 'order', body: '{{1}}, order {{2}}' });
		const rehearsed = await bot.plays(`
name: Templates
pace: 0
customers: { ana: { name: Ana } }
steps:
  - ana: writes One
  - ana: gets You said One
  - faults: { on: route, operation: sendMessage, kind: windowClosed, times: 1 }
  - ana: writes Two
  - ana: { getsTemplate: order, parameters: [Ana, Two], language: en_US }
  - advance: 25h
  - control: { path: '/channels/{channel}/disconnect' }
`);
		expect(told(rehearsed)).toEqual([]);
		expect(bot.statuses).toEqual([200, 422, 200]);
		expect(await bot.sandbox.control('GET', '/faults')).toEqual({ faults: [] });
	});

	it('checks what the customer reads of a template', async () => {
		const bot = await botThat(({ text: said }) => [template('order', 'Ana', said)]);
		await bot.account.addTemplate({
			name: 'order',
			components: [
				{ type: 'HEADER', format: 'TEXT', text: 'Order' },
				{ type: 'BODY', text: '{{1}}, order {{2}}' },
				{ type: 'FOOTER', text: 'The shop' },
			],
		});
		const plays = (read: string) =>
			bot.plays(`
name: Text
customers: { ana: }
steps:
  - ana: writes Two
  - ana: { getsTemplate: order, text: "Order\\n\\n${read}\\n\\nThe shop", within: 50ms }
`);
		expect(told(await plays('Ana, order Two'))).toEqual([]);
		expect(told(await plays('Ana, order 2')).join()).toContain(
			"expected the template order that reads 'Order",
		);
	});

	it('passes its own recording, also with unanswered messages', async () => {
		const bot = await botThat((heard) => (heard.text === 'Bye' ? [] : helper(heard)));
		const ana = bot.account.customer({ name: 'Ana' });
		const ben = bot.account.customer({ name: 'Ben' });
		await ana.write('Hello');
		await ana.expectText('How can we help?', { within: '20s' });
		await ben.write("It's: #1\nof two");
		await ben.expectText(/of two$/, { within: '20s' });
		await ana.tap('Talk');
		await ana.expectText('You want talk', { within: '20s' });
		await ana.write('Bye');
		const path = `/_sandbox/rehearsal?channel=${bot.account.channelId}`;
		const { body } = await service.call<string>(path, { key: null });
		const rehearsed = await bot.plays(body);
		expect(told(rehearsed)).toEqual([]);
		expect(rehearsed.transcripts).toHaveLength(2);
		expect(rehearsed.transcripts.join('\n')).toContain('taps [Talk]');
	});
});

describe('a rehearsal finds a fault of the workflow:', () => {
	it('an answer that comes twice', async () => {
		const bot = await botThat((heard) => [...helper(heard), ...helper(heard)]);
		expect(told(await bot.plays(GREETING, LONGER))).toEqual([
			"twice: the same answer twice to Ana: 'How can we help? [Orders] [Talk]'",
		]);
		// Also if the customer continues before it comes.
		const goesOn = `${GREETING}  - ana: taps Orders\n  - ana: gets You want orders\n`;
		expect((await bot.plays(goesOn, LONGER)).problems.map(({ kind }) => kind)).toEqual([
			'twice',
			'twice',
		]);
	});

	it('an answer that never comes', async () => {
		const bot = await botThat(() => []);
		const rehearsed = await bot.plays(GREETING, { within: '50ms' });
		expect(told(rehearsed)).toEqual([
			"notMet: Ana expected a message 'How can we help?' within 50 ms; none came",
			"unanswered: no answer to 'Hello' of Ana",
		]);
		expect(rehearsed.problems[0]?.line).toBe(6);
		expect(rehearsed.transcripts[0]?.split('\n').slice(1)).toEqual([
			expect.stringMatching(/^ {2}[\d:.]+ {2}Ana {7}Hello$/),
			"✗               expected a message 'How can we help?' within 50 ms; none came (line 6)",
		]);
	});

	it('a missing answer that no step expects, unless answers are optional', async () => {
		const bot = await botThat(({ count }) => (count === 1 ? [text('Hi')] : []));
		const script = (first: string) => `
name: Silence
pace: 0
${first}
customers: { ana: { name: Ana } }
steps:
  - ana: writes Hello
  - ana: gets Hi
  - ana: writes Anybody?
`;
		expect(told(await bot.plays(script('')))).toEqual([
			"unanswered: no answer to 'Anybody?' of Ana. If it needs none, add `answers: optional` to the script",
		]);
		expect(told(await bot.plays(script('answers: optional')))).toEqual([]);
		const quiet = `${script('')}  - ana: { getsNothing: 50ms }\n`;
		expect(told(await bot.plays(quiet))).toEqual([]);
	});

	it('a text after the window has closed, refused at once or later, unless it is expected', async () => {
		const bot = await botThat(async (heard, { account, sends }) => {
			await sends(heard.customer, text('How can we help?'));
			await account.customer({ number: heard.customer }).closeWindow();
			return [text('Are you still there?')];
		});
		const closed =
			'closedWindow: a message to Ana after the window had closed. The service refused it. Send a template instead';
		for (const closedWindow of ['REFUSED', 'FAILED']) {
			const set = `- control: { method: PATCH, path: /settings, body: { closedWindow: ${closedWindow} } }`;
			const script = GREETING.replace('- ana', `${set}\n  - ana`);
			expect(told(await bot.plays(script, LONGER))).toEqual([closed]);
			expect(told(await bot.plays(`${script}  - ana: { isRefused: true }\n`, LONGER))).toEqual([]);
		}
	});

	it('a document, which the service accepts and does not deliver', async () => {
		const url = 'https://shop.example.com/prices.pdf';
		const bot = await botThat(({ text: said }) => {
			if (said !== 'Bye') return [text(`You said ${said}`)];
			return [{ type: 'IMAGE', attachments: [{ url }] }];
		});
		const start = GREETING.replace('How can we help?', 'You said Hello');
		const plays = (step: string) =>
			bot.plays(`${start}  - ana: writes Bye\n  - ana: ${step}\n`, LONGER);
		const undelivered = `unexpected: a message to Ana that the service does not deliver: 'image ${url}'. The file is a document, which the chat application does not take as media. Send a link in a text, or a template with a document`;
		const silent = await plays('{ getsNothing: 500ms }');
		expect(bot.statuses).toEqual([200, 200]);
		expect(told(silent)).toEqual([undelivered]);
		expect(silent.transcripts[0]).toMatch(
			/^! [\d:.]+ {2}business {2}image https:\S+prices\.pdf.* \(the service does not deliver it\)$/m,
		);
		// It is no answer, and no step gets it.
		const expected = await plays('{ gets: { type: IMAGE }, within: 500ms }');
		expect(told(expected)).toEqual([
			'notMet: Ana expected a message IMAGE within 500 ms; none came',
			undelivered,
			"unanswered: no answer to 'Bye' of Ana",
		]);
		const unread = [undelivered, "unanswered: no answer to 'Bye' of Ana"];
		expect(told(await plays('{ reads: true }'))).toEqual(unread);
	});

	it('an answer to each of three quick messages', async () => {
		const bot = await botThat(({ text: said }) => [text(`About ${said}`)]);
		const rehearsed = await bot.plays(
			`
name: Quick
customers: { ana: { name: Ana } }
steps:
  - ana: writes One
  - ana: writes Two
  - ana: writes Three
  - ana: { gets: { matches: Three } }
`,
			LONGER,
		);
		expect(told(rehearsed)).toEqual([
			"unexpected: a message to Ana that no step expected: 'About One'",
			"unexpected: a message to Ana that no step expected: 'About Two'",
		]);
	});

	it('an unexpected message, a wrong order, wrong buttons and a missing button', async () => {
		const bot = await botThat((heard) => [...helper(heard), text('And more')]);
		const after = (steps: string) => bot.plays(GREETING + steps, LONGER);
		expect(told(await after('  - ana: { getsNothing: 5s }\n'))).toEqual([
			'notMet: Ana expected nothing for 5 s; a message came',
			"unexpected: a message to Ana that no step expected: 'And more'",
		]);
		const wrongOrder = GREETING.replace('gets How can we help?', 'gets And more');
		const late = await bot.plays(
			`${wrongOrder}  - ana: { gets: How can we help?, within: 50ms }\n`,
		);
		expect(late.problems.map(({ kind, line }) => [kind, line])).toEqual([
			['notMet', 7],
			['unexpected', undefined],
		]);
		const few = '{ gets: How can we help?, buttons: [Orders] }';
		const wrongButtons = GREETING.replace('gets How can we help?', few);
		expect((await bot.plays(wrongButtons, { within: '50ms' })).problems[0]?.what).toBe(
			"Ana expected a message 'How can we help?' with the buttons [Orders] within 50 ms; none came",
		);
		const words =
			'{ gets: { matches: ^How, contains: [order], containsNone: [HELP] }, within: 50ms }';
		expect(
			(await bot.plays(GREETING.replace('gets How can we help?', words))).problems[0]?.what,
		).toBe(
			"Ana expected a message that matches /^How/ that contains 'order' without 'HELP' within 50 ms; none came",
		);
		expect((await after('  - ana: { taps: Help, within: 50ms }\n')).problems[0]?.what).toBe(
			"Ana expected a button 'Help' to tap; none came",
		);
	});
});

it('stops at a step that the sandbox refuses, and says why', async () => {
	const bot = await botThat(helper);
	const disconnects = "  - control: { path: '/channels/{channel}/disconnect' }\n";
	const rehearsed = await bot.plays(`${GREETING}${disconnects.repeat(2)}  - ana: writes Never\n`);
	expect(rehearsed.problems).toEqual([]);
	expect(rehearsed.broken).toMatch(
		/^POST \/_sandbox\/channels\/\w+\/disconnect was refused with 422/,
	);
	expect(rehearsed.transcripts.join()).not.toContain('Never');
});

it('gives up an expression that would look for ever, and says which', async () => {
	const bot = await botThat(() => [text(`${'a'.repeat(40)}!`)]);
	const endless = GREETING.replace('gets How can we help?', '{ gets: { matches: ^(a+)+!b } }');
	const rehearsed = await bot.plays(endless);
	expect(rehearsed.broken).toBe(
		"matches /^(a+)+!b/ took longer than 1 s on 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'. Write it so that it has one way to match a text",
	);
});

it('sends no file from outside of its folder, not even by a link, and reads no pipe', async () => {
	const top = mkdtempSync(join(tmpdir(), 'rehearsal-'));
	try {
		const folder = join(top, 'scripts');
		mkdirSync(folder);
		writeFileSync(join(top, 'secret.ogg'), 'OggS');
		symlinkSync(join(top, 'secret.ogg'), join(folder, 'link.ogg'));
		symlinkSync(top, join(folder, 'up'));
		execFileSync('mkfifo', [join(folder, 'pipe.ogg')]);
		const bot = await botThat(helper);
		const link = "is a link out of the script's folder. Put the file there";
		const refused = { 'link.ogg': link, 'up/secret.ogg': link, 'pipe.ogg': 'is no file' };
		for (const [file, why] of Object.entries(refused)) {
			const rehearsed = await bot.plays(`${GREETING}  - ana: { sendsFile: ${file} }\n`, { folder });
			expect(rehearsed.broken).toBe(`${file} ${why}`);
		}
		const sent = (await bot.account.messages()).map(({ content }) => content.type);
		expect(sent).not.toContain('AUDIO');
	} finally {
		rmSync(top, { recursive: true });
	}
});

it('lets the caller act for a person outside the chats', async () => {
	const bot = await botThat(helper);
	const script = `${GREETING}  - manually: Send the news to Ana\n  - ana: gets News\n`;
	await expect(bot.plays(script)).rejects.toThrow(/'Greeting' asks a person to do something/);
	const done: string[] = [];
	const rehearsed = await bot.plays(script, {
		manually: async (what, customers) => {
			done.push(what);
			await bot.sends(customers.get('ana')!.number, text('News'));
		},
	});
	expect(told(rehearsed)).toEqual([]);
	expect(done).toEqual(['Send the news to Ana']);
});
