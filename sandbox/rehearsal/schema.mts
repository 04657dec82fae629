/** The form of a rehearsal script. */
import { z } from 'zod';

import { faultSchemaFor } from '../faults/schema.mts';
import { writtenContentSchema, customerContentSchema } from '../store/content.mts';
import { controlSchema } from './control.mts';
import { isBelow } from './files.mts';
import { duration, isTrue, notAText, pattern, text } from './pattern.mts';

/** Keys of a step besides customers. */
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

/** The details that each verb allows. */
const DETAILS: Record<string, readonly string[]> = {
	within: ['taps', 'gets', 'getsTemplate', 'isRefused'],
	buttons: ['gets'],
	parameters: ['getsTemplate'],
	language: ['getsTemplate'],
	text: ['getsTemplate'],
	caption: ['sendsFile'],
	as: ['sendsFile'],
	pace: ['writes', 'sends', 'sendsFile'],
};

const TAKEN = "One of the contents of the sandbox's control API, such as {type: AUDIO, url}";

/** An action of a customer, or a message to it. @param gets the schema of `gets` */
const customerAction = <T extends z.ZodTypeAny>(gets: T) =>
	z
		.strictObject(
			{
				writes: text.optional().describe('The customer writes a text'),
				taps: text
					.optional()
					.describe('The customer taps a button, by its title or id, as soon as it comes'),
				sends: customerContentSchema.optional().describe(TAKEN),
				sendsFile: text
					.refine(isBelow, "must be a path in the script's folder or below, without ..")
					.optional()
					.describe('A file, by its path relative to this script'),
				as: z.enum(['IMAGE', 'VIDEO', 'AUDIO', 'STICKER']).optional(),
				caption: text.optional(),
				reads: isTrue.optional().describe('The customer reads all messages'),
				closesWindow: isTrue
					.optional()
					.describe('24 hours pass for this customer only: the conversation window closes'),
				gets: gets
					.optional()
					.describe('A message of the workflow. A plain text must be its whole text'),
				buttons: z.array(text).optional().describe('The titles of all its buttons'),
				getsTemplate: text.optional().describe('A template with this name'),
				parameters: z
					.array(z.string(notAText))
					.optional()
					.describe("The values of the variables in the template's body"),
				language: text.optional().describe('Language of the template, such as en_US'),
				text: text
					.optional()
					.describe('What the customer reads: header, body and footer, with an empty line between'),
				getsNothing: duration.optional().describe('The workflow sends nothing for this time'),
				isRefused: isTrue
					.optional()
					.describe("The service refuses the workflow's message because the window is closed"),
				within: duration.optional().describe('How long to wait'),
				pace: duration
					.optional()
					.describe("How long after the last message to the customer. The file's if left out"),
			},
			{ invalid_type_error: "must be 'writes …', 'taps …' or 'gets …', or an object" },
		)
		.superRefine((action, issues) => {
			const given = Object.keys(action);
			const verbs = given.filter((key) => VERBS.some((verb) => verb === key));
			if (verbs.length !== 1)
				issues.addIssue({
					code: 'custom',
					message: `must have exactly one of ${VERBS.join(', ')}; it has ${verbs.join(' and ') || 'none'}`,
				});
			for (const [detail, wanted] of Object.entries(DETAILS))
				if (given.includes(detail) && verbs.length === 1 && !wanted.includes(verbs[0]!))
					issues.addIssue({
						code: 'custom',
						path: [detail],
						message: `works only with ${wanted.join(', ')}`,
					});
		});

const businessAction = z
	.strictObject(
		{
			writes: text.optional().describe("A colleague writes on the business's phone"),
			sends: writtenContentSchema.optional().describe(TAKEN),
			to: text.describe('The customer who gets it'),
		},
		{ invalid_type_error: "must be an object: { writes: …, to: … }, with a customer's name" },
	)
	.refine(
		({ writes, sends }) => (writes === undefined) !== (sends === undefined),
		'must have exactly one of writes, sends',
	);

const fault = z
	.record(z.unknown(), { invalid_type_error: 'must be an object: { on: route, kind: …, … }' })
	.superRefine((given, issues) => {
		const checked = faultSchemaFor(given.on).safeParse(given);
		for (const issue of checked.error?.issues ?? []) issues.addIssue(issue);
	});

const oneKey = (what: string) =>
	[(step: object) => Object.keys(step).length === 1, `must have exactly one key: ${what}`] as const;
const notAnObject = { invalid_type_error: "must be an object, such as 'ana: writes Hello'" };

/**
 * @param gets the schema of `gets` @param short short forms of an action
 * @param faults the schema of a fault
 */
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
					.describe("Moves the sandbox's clock for all accounts, so the script plays alone"),
				faults: faults.optional().describe('Faults from here on, for this account'),
				together: z
					.array(sideBySide)
					.min(1)
					.optional()
					.describe('Steps of several customers at once. Those of one customer keep their order'),
				manually: text
					.optional()
					.describe('What a person must do outside the chats, and then confirm'),
				control: controlSchema.optional(),
			},
			notAnObject,
		)
		.catchall(action)
		.refine(...oneKey(`${RESERVED.join(', ')} or a customer`));
	return z.strictObject(
		{
			name: text,
			description: text.optional(),
			answers: z
				.enum(['required', 'optional'])
				.default('required')
				.describe("optional: a customer's message needs no answer"),
			within: duration.optional().describe('How long to wait for expected messages. Default: 5s'),
			pace: duration
				.optional()
				.describe(
					'How long a customer takes before words that follow a message to them. Default: 2s',
				),
			settle: duration
				.optional()
				.describe('How long to watch for unexpected messages after the last step. Default: 1s'),
			customers: z
				.record(
					z
						.strictObject({
							name: text.optional().describe('The name that the workflow sees'),
							number: text.optional().describe('Generated if left out'),
						})
						.nullable(),
				)
				.default({}),
			steps: z.array(step, { invalid_type_error: 'must be a list' }).min(1),
		},
		{ invalid_type_error: 'must be an object with name, customers and steps' },
	);
}

/** A script with its short forms expanded. */
export const scriptSchema = scriptSchemaOf(pattern, (action) => action, fault);
export type Script = z.infer<typeof scriptSchema>;
export type Step = Script['steps'][number];
export type CustomerAction = z.infer<ReturnType<typeof customerAction<typeof pattern>>>;
export type BusinessAction = z.infer<typeof businessAction>;

/** The short form of an action: a verb, a space and the text. */
export const SHORT = /^(writes|taps|gets) ([^]+)$/;

/** A script as people write it, for editors. */
export const writtenSchema = scriptSchemaOf(
	z.union([text, pattern]),
	(action) => z.union([z.string().regex(SHORT), action]),
	z.union([faultSchemaFor('route'), faultSchemaFor('webhook')]),
);
