/** The form of a rehearsal script, checked at the door. */
import { z } from 'zod';

import { millisecondsOf } from '../client/duration.mts';
import { faultSchemaFor } from '../faults/schema.mts';
import { writtenContentSchema, customerContentSchema } from '../store/content.mts';

/** What a step can begin with beside a customer. */
export const RESERVED = [
	'business',
	'advance',
	'faults',
	'together',
	'manually',
	'control',
] as const;

const VERBS = [
	...['writes', 'taps', 'sends', 'sendsFile', 'reads', 'closesWindow'],
	...['gets', 'getsTemplate', 'getsNothing', 'isRefused'],
] as const;

/** Which details go with which verb. */
const DETAILS: Record<string, readonly string[]> = {
	within: ['taps', 'gets', 'getsTemplate', 'isRefused'],
	buttons: ['gets'],
	parameters: ['getsTemplate'],
	language: ['getsTemplate'],
	caption: ['sendsFile'],
	as: ['sendsFile'],
};

const notAText = { invalid_type_error: 'must be a text: put it in quotes' };
const text = z.string(notAText).min(1, 'must not be empty').max(65_536);
const isDuration = (value: string | number): boolean => {
	try {
		millisecondsOf(value);
		return true;
	} catch {
		return false;
	}
};
const duration = z
	.custom<string | number>(
		(value) => (typeof value === 'string' || typeof value === 'number') && isDuration(value),
		"must be a time span: milliseconds, or such as '500ms', '5s', '1h 30m' or '25h'",
	)
	.describe("Milliseconds, or a text such as '500ms', '5s', '1h 30m' or '25h'");
const isTrue = z.literal(true, { errorMap: () => ({ message: 'must be true' }) });

const isExpression = (source: string): boolean => {
	try {
		new RegExp(source);
		return true;
	} catch {
		return false;
	}
};

const pattern = z
	.object(
		{
			text: z.string(notAText).optional().describe('All of the text'),
			matches: text
				.refine(isExpression, 'is no regular expression')
				.optional()
				.describe('A regular expression that is found in the text'),
			type: z
				.enum([
					...['TEXT', 'IMAGE', 'VIDEO', 'AUDIO', 'STICKER', 'CONTACT_ARRAY'],
					...['INTERACTIVE_BUTTON', 'INTERACTIVE_ACTION', 'TEMPLATE'],
				] as [string, ...string[]])
				.optional()
				.describe('The kind of message'),
		},
		{ invalid_type_error: 'must be a text, or an object of text, matches or type' },
	)
	.strict()
	.refine((given) => Object.keys(given).length > 0, 'says nothing: give text, matches or type');

const TAKEN = "One of the contents of the sandbox's control API, such as {type: AUDIO, url}";

/** What a customer does or gets. @param gets what `gets` can be */
const customerAction = <T extends z.ZodTypeAny>(gets: T) =>
	z
		.object(
			{
				writes: text.optional().describe('The customer writes a text'),
				taps: text
					.optional()
					.describe('The customer taps a button, by its title or id, once there is one'),
				sends: customerContentSchema.optional().describe(TAKEN),
				sendsFile: text.optional().describe('A file, by its path from this script'),
				as: z.enum(['IMAGE', 'VIDEO', 'AUDIO', 'STICKER']).optional(),
				caption: text.optional(),
				reads: isTrue.optional().describe('The customer reads what came'),
				closesWindow: isTrue
					.optional()
					.describe('24 hours pass for this customer alone: the conversation window closes'),
				gets: gets.optional().describe('A message of the workflow: a text is all of it'),
				buttons: z.array(text).optional().describe('The titles of its buttons, all of them'),
				getsTemplate: text.optional().describe('A template, by its name'),
				parameters: z
					.array(z.string(notAText))
					.optional()
					.describe("What the template's placeholders are filled in with"),
				language: text.optional().describe('Of the template, such as en_US'),
				getsNothing: duration.optional().describe('The workflow sends nothing for so long'),
				isRefused: isTrue
					.optional()
					.describe('The service refuses what the workflow sends, since the window is closed'),
				within: duration.optional().describe('How long it is waited for'),
			},
			{ invalid_type_error: "must be 'writes …', 'taps …' or 'gets …', or an object" },
		)
		.strict()
		.superRefine((action, issues) => {
			const given = Object.keys(action);
			const verbs = given.filter((key) => VERBS.some((verb) => verb === key));
			if (verbs.length !== 1)
				issues.addIssue({
					code: 'custom',
					message: `must say one thing of ${VERBS.join(', ')}; it says ${verbs.join(' and ') || 'none'}`,
				});
			for (const [detail, wanted] of Object.entries(DETAILS))
				if (given.includes(detail) && verbs.length === 1 && !wanted.includes(verbs[0]!))
					issues.addIssue({
						code: 'custom',
						path: [detail],
						message: `goes with ${wanted.join(', ')} alone`,
					});
		});

const businessAction = z
	.object(
		{
			writes: text.optional().describe("A colleague writes on the business's phone"),
			sends: writtenContentSchema.optional().describe(TAKEN),
			to: text.describe('Which customer'),
		},
		{ invalid_type_error: "must be an object: { writes: …, to: … }, with a customer's name" },
	)
	.strict()
	.refine(
		({ writes, sends }) => (writes === undefined) !== (sends === undefined),
		'must say one thing of writes, sends',
	);

const fault = z
	.record(z.unknown(), { invalid_type_error: 'must be an object: { on: route, kind: …, … }' })
	.superRefine((given, issues) => {
		const checked = faultSchemaFor(given.on).safeParse(given);
		for (const issue of checked.error?.issues ?? []) issues.addIssue(issue);
	});

const control = z
	.object({
		method: z.enum(['POST', 'PATCH', 'DELETE']).default('POST'),
		path: z
			.string()
			.startsWith('/')
			.describe('After /_sandbox; {channel} and {account} stand for ids'),
		body: z.record(z.unknown()).optional(),
	})
	.strict();

const oneKey = (what: string) =>
	[
		(step: object) => Object.keys(step).length === 1,
		`must begin with one of ${what}, and hold nothing else`,
	] as const;
const notAnObject = { invalid_type_error: "must be an object, such as 'ana: writes Hello'" };

/** @param gets what `gets` can be @param short what can stand for an action besides @param faults the form of a fault */
function scriptSchemaOf<G extends z.ZodTypeAny, A extends z.ZodTypeAny, F extends z.ZodTypeAny>(
	gets: G,
	actionOf: (action: ReturnType<typeof customerAction<G>>) => A,
	faults: F,
) {
	const action = actionOf(customerAction(gets));
	const sideBySide = z
		.object({ business: businessAction.optional() }, notAnObject)
		.catchall(action)
		.refine(...oneKey('business or a customer'));
	const step = z
		.object(
			{
				business: businessAction.optional(),
				advance: duration
					.optional()
					.describe("Moves the sandbox's clock, for all accounts: such a script plays alone"),
				faults: faults.optional().describe('What goes wrong from here on, for this account'),
				together: z
					.array(sideBySide)
					.min(1)
					.optional()
					.describe('Steps of several customers at once; those of one go one after the other'),
				manually: text.optional().describe('What a person does outside the chats, and confirms'),
				control: control.optional().describe("A call of the sandbox's control API"),
			},
			notAnObject,
		)
		.catchall(action)
		.refine(...oneKey(`${RESERVED.join(', ')} or a customer`));
	return z
		.object(
			{
				name: text,
				description: text.optional(),
				answers: z
					.enum(['required', 'optional'])
					.default('required')
					.describe('optional: a message of a customer may stay without an answer'),
				within: duration.optional().describe('How long what must come is waited for; 5s'),
				settle: duration
					.optional()
					.describe('How long after the last step it is looked for what nobody asked for; 1s'),
				customers: z
					.record(
						z
							.object({
								name: text.optional().describe('As the workflow knows it'),
								number: text.optional().describe('Made up when left out'),
							})
							.strict()
							.nullable(),
					)
					.default({}),
				steps: z.array(step, { invalid_type_error: 'must be a list' }).min(1),
			},
			{ invalid_type_error: 'must be an object of name, customers and steps' },
		)
		.strict();
}

/** A script, short forms written out. */
export const scriptSchema = scriptSchemaOf(pattern, (action) => action, fault);
export type Script = z.infer<typeof scriptSchema>;
export type Step = Script['steps'][number];
export type CustomerAction = z.infer<ReturnType<typeof customerAction<typeof pattern>>>;
export type BusinessAction = z.infer<typeof businessAction>;
export type Pattern = z.infer<typeof pattern>;

/** The short form of an action: a verb, a space and the text. */
export const SHORT = /^(writes|taps|gets) ([^]+)$/;

/** A script as people write it, for editors. */
export const writtenSchema = scriptSchemaOf(
	z.union([text, pattern]),
	(action) => z.union([z.string().regex(SHORT), action]),
	z.union([faultSchemaFor('route'), faultSchemaFor('webhook')]),
);
