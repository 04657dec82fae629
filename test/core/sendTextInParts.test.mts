/** Send Text with the options Convert Markdown and Max Length. */
import { CHANNEL } from '../support/constants.mts';
import { idOf, sendTexts } from './harness/textService.mts';

const CHAPTERS = ['One', 'Two', 'Three'].map((name) => `${name} ${'word '.repeat(18).trim()}.`);
const LONG = { recipient: '1', text: CHAPTERS.join('\n\n') };
const AFTER = { recipient: '1', text: 'after' };
const options = { maxLength: 100 };
const IDS = CHAPTERS.map(idOf);
const continues = { onError: 'continueRegularOutput' } as const;

test("Convert Markdown: sends the chat's own formatting, and the unchanged text without the option", async () => {
	const text = '# Prices\n**Tea** is *hot*: [menu](https://shop.example)';
	const written = '*Prices*\n*Tea* is _hot_: menu (https://shop.example)';
	for (const [convertMarkdown, sent] of [
		[true, written],
		[false, text],
		[undefined, text],
	] as const) {
		const given = convertMarkdown === undefined ? {} : { convertMarkdown };
		const { accepted } = await sendTexts([{ recipient: '1', text }], { options: given });
		expect(accepted).toEqual([sent]);
	}
});

test.each<[text: string, sent: string | undefined]>([
	...[
		'think',
		'thinking',
		'reason',
		'reasoning',
		'reflection',
		'analysis',
		'scratchpad',
		'thought',
	].map((tag): [string, string] => [`<${tag}>She *asks*</${tag}>\n\n**Hi**`, '*Hi*']),
	['\n<Thought>a</Thought> <think></think>Hi', 'Hi'],
	['<|begin_of_thought|>a<|end_of_thought|>\nHi', 'Hi'],
	['◁think▷a◁/think▷Hi', 'Hi'],
	['İ She asks\n</think>\n\nHi', 'Hi'],
	['<think>a<think>b</think>c</think>Hi', 'Hi'],
	[
		'<think>x</think>It ends with </think> and then answers.',
		'It ends with </think> and then answers.',
	],
	['Close it with </think> please', 'Close it with </think> please'],
	['<reason> is required for a refund', '<reason> is required for a refund'],
	['Hi, is <think>a</think> meant?', 'Hi, is <think>a</think> meant?'],
	['The end is `</think>`', 'The end is `</think>`'],
	['<think>', undefined],
	['<think>cut off by the limi', undefined],
	['<think>a</think>\n', undefined],
])("Convert Markdown leaves a model's reasoning out: %j", async (text, sent) => {
	const { items, accepted } = await sendTexts([{ recipient: '1', text }], {
		options: { convertMarkdown: true },
		settings: continues,
	});
	expect(accepted).toEqual(sent === undefined ? [] : [sent]);
	if (sent === undefined) expect(items[0]!.json.error).toMatch(/"Text" is empty\. .*reasoning/);
});

test('sends a text longer than Max Length as several messages in order, and lists them in the output', async () => {
	const { items, accepted } = await sendTexts([LONG, AFTER], { options });
	expect(accepted).toEqual([...CHAPTERS, 'after']);
	const to = { channelId: CHANNEL, recipient: '1' };
	expect(items).toEqual([
		{ json: { messageId: IDS[0], messageIds: IDS, ...to }, pairedItem: { item: 0 } },
		{ json: { messageId: idOf('after'), ...to }, pairedItem: { item: 1 } },
	]);
});

test('reads Convert Markdown for each item, and splits only the texts of those items', async () => {
	const text = `${'a'.repeat(4096)} **b**`;
	const { items, accepted } = await sendTexts(
		[true, false].map((markdown, at) => ({ recipient: `${at}`, text, markdown })),
		{ options: { convertMarkdown: '={{ $json.markdown }}' }, settings: continues },
	);
	expect(accepted.map(({ length }) => length).sort()).toEqual([3, 4096]);
	expect(items[0]!.json.messageIds).toEqual([expect.any(String), idOf('*b*')]);
	expect(items[1]!.json.messageIds).toBeUndefined();
	expect(items[1]!.json.error).toMatch(/"Text" has 4102 characters/);
});
