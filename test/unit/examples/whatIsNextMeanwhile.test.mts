/** What the Shop Assistant does if the customer writes on, or the business's phone greets. */
import { at, SENT, whatIsNext, WRITTEN } from './shopRows.mts';

test.each<[string, Parameters<typeof whatIsNext>, string]>([
	[
		'the customer wrote on before the model was asked',
		[[WRITTEN, ['M3', 'Customer', 'No, the red one', -0.001]]],
		'Done',
	],
	[
		'the customer wrote on while the model thought',
		[
			[
				WRITTEN,
				['M3', 'Customer', 'No, the red one', -0.001],
				['M2 answer', 'Draft', 'The blue one'],
			],
		],
		'Done',
	],
	[
		'an older message came late, while the model thought',
		[[WRITTEN, ['M1', 'Customer', 'The blue one', 0.1], ['M2 answer', 'Draft', 'The red one']]],
		'Done',
	],
	[
		'the message itself came late',
		[
			[
				['M3', 'Customer', 'No, the red one', -0.001],
				['M3 answer', 'Assistant', 'The red one', -0.001],
				WRITTEN,
			],
		],
		'Ask the Model',
	],
	[
		'the customer wrote on when a refund was promised',
		[
			[
				WRITTEN,
				['M2 refund', 'Asked for a refund', 'A-1'],
				SENT,
				['M3', 'Customer', 'Thank you', -0.001],
			],
		],
		'Ask a Colleague',
	],
	[
		'the customer wrote STOP, which Opt-Out has kept',
		[
			[WRITTEN, ['M3', 'Customer', 'STOP', -0.5], ['M2 answer', 'Draft', 'I see.']],
			{ timestamp: at(0.5) },
			{ state: 'stopped', changedAt: at(-0.5) },
		],
		'Send',
	],
	[
		'an earlier message was to be handed over, and the customer wrote on',
		[
			[
				['M1', 'Customer', 'A person, please', 0.001],
				['M1 handover', 'Handed over', 'A person', 0.001],
				['M1 answer', 'Draft', 'A colleague takes over', 0.001],
				WRITTEN,
			],
		],
		'Ask the Model',
	],
	[
		'the phone sent its greeting',
		[[WRITTEN, ['C1', 'Colleague', 'Thank you for your message!', -0.0002]]],
		'Ask the Model',
	],
	[
		'the phone sent its greeting in a chat that a colleague has',
		[
			[
				['C1', 'Colleague', 'I look', 0.1],
				WRITTEN,
				['C2', 'Colleague', 'Thank you for your message!', -0.0002],
			],
		],
		'Done',
	],
	[
		'a colleague hands back at once',
		[
			[
				['C1', 'Colleague', 'I look', 0.1],
				WRITTEN,
				['C2', 'Colleague', 'Our assistant goes on. /bot', -0.0002],
			],
		],
		'Ask the Model',
	],
])('%s: %#', (_, [rows, message, optOut], next) => {
	expect(whatIsNext(rows, message, optOut).next).toBe(next);
});

test('the transcript has what a tool wrote once its answer was sent', () => {
	const { transcript } = whatIsNext([
		['M0', 'Customer', 'It is broken', 2],
		['M0 refund', 'Asked for a refund', 'A-1', 2],
		['M0 answer', 'Assistant', 'I have asked', 2],
		['M1', 'Customer', 'The lamp, too', 1],
		['M1 refund', 'Asked for a refund', 'A-2', 1],
		['M1 answer', 'Draft', 'I have asked', 1],
		WRITTEN,
	]);
	expect(transcript).toBe(
		'Customer: It is broken\nAsked for a refund: A-1\nAssistant: I have asked\nCustomer: The lamp, too',
	);
});
