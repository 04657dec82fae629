import {
	additionalPartsOf,
	businessesSchema,
	type ListedTemplate,
	PARAMETER_NAME_FIELD,
	placeholdersIn,
	TEMPLATE_PAGE_SIZE,
	templatePageSchema,
	variablesOf,
} from '../contract.mts';
import type { Run } from './runContext.mts';
import { isSent, send } from './send.mts';

const FACT = 'send.named-variables';
/** Enough to find one, and few requests. */
const BUSINESSES_MAX = 5;

/**
 * Asks with a name that the template does not have. A service that reads names refuses it, which
 * costs nothing.
 */
export async function probeNamedVariables(run: Run): Promise<void> {
	const { findings } = run;
	const template = await namedTemplate(run);
	if (!template)
		return findings.skip(
			FACT,
			'needs an approved template whose body alone has variables, with names',
		);
	const { name, language: code } = template;
	const parameters = namesIn(template).map((_name, at) => ({
		...{ type: 'text', text: 'Probe' },
		[PARAMETER_NAME_FIELD]: `probe_no_such_name_${at}`,
	}));
	const language = { policy: 'deterministic', code };
	const components = [{ type: 'body', parameters }];
	const attachments = [{ template: { name, language, components } }];
	const answer = await send(run, { type: 'TEMPLATE', attachments });
	if (isSent(answer)) return findings.record(FACT, false, { word: 'position' });
	// Only the chat application reads names. The service itself could refuse the field.
	if (answer.shape !== 'D' || !/parameter|variable/i.test(answer.words ?? ''))
		return findings.skip(FACT, 'the refusal does not tell whether names are read');
	findings.record(FACT, true, {});
}

/** A template of the account that takes named variables in its body, and nothing else. */
async function namedTemplate({ wire, templatesPath }: Run): Promise<ListedTemplate | undefined> {
	const { body } = await wire.call(templatesPath);
	const businesses = businessesSchema.safeParse(body).data ?? [];
	for (const { businessId } of businesses.slice(0, BUSINESSES_MAX)) {
		const query = `limit=${TEMPLATE_PAGE_SIZE.max}&status=APPROVED`;
		const path = `${templatesPath}/${encodeURIComponent(businessId)}/templates?${query}`;
		const page = templatePageSchema.safeParse((await wire.call(path)).body).data;
		const found = page?.data.find(
			(template) =>
				namesIn(template).length > 0 &&
				variablesOf(template).every(({ id, isNeeded }) => !isNeeded || id.startsWith('body.')) &&
				additionalPartsOf(template).length === 0,
		);
		if (found) return found;
	}
	return undefined;
}

/** The names of the variables of a body. Empty if they are numbers. */
function namesIn({ components }: ListedTemplate): string[] {
	const names = (components ?? [])
		.filter(({ type }) => type.toUpperCase() === 'BODY')
		.flatMap(({ text }) => placeholdersIn(text ?? ''));
	return names.some((name) => /^\d+$/.test(name)) ? [] : names;
}
