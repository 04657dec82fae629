import {
	businessesSchema,
	createdTemplateSchema,
	type ListedTemplate,
	TEMPLATE_PAGE_SIZE,
	templatePageSchema,
} from '../contract.mts';
import { type Run, without } from './runContext.mts';
import type { Wire } from './wire.mts';

/** Begins the names of the probe's templates, so that any later run finds them. */
const MARK = 'business_messaging_probe';
const LANGUAGES = ['en_US', 'pt_BR', 'es'] as const;
const PAGES_MAX = 60;
const BODY = { type: 'BODY', text: 'A probe of the service. Please ignore this template.' };

/** Asks what is deleted by an ID and by a name, of a template of its own that is never sent. */
export async function probeTemplates(run: Run): Promise<void> {
	const { wire, findings, allowed, templatesPath, token } = run;
	if (!allowed.has('templates')) return findings.skipAll('templates', without('--allow templates'));
	const [root] = await templateRoots(wire, templatesPath);
	if (root === undefined)
		return findings.skipAll('templates', 'the account has no business account');
	await removeTemplates(wire, templatesPath);
	// The name of one that was approved meanwhile stays taken.
	const name = `${MARK}_${token.slice(0, 8)}`;
	const make = async (language: string) =>
		await wire.call(root, { body: { name, language, category: 'UTILITY', components: [BODY] } });
	const left = async () => (await marked(wire, root)).map(({ language }) => language).sort();
	try {
		const ids = [];
		for (const language of LANGUAGES)
			ids.push(createdTemplateSchema.safeParse((await make(language)).body).data?.id);
		const [first, second] = ids;
		if (first === undefined || second === undefined || ids.includes(undefined))
			return findings.skipAll('templates', 'no template could be created');
		const refusal = await make(LANGUAGES[0]);
		findings.record('template.refusal', refusal.status === 422, findings.foundIn(refusal));
		const remove = async (path: string) => await wire.call(`${root}/${path}`, { method: 'DELETE' });
		const byId = await remove(encodeURIComponent(first));
		const others = await left();
		findings.record('template.delete-by-id', others.join() === 'es,pt_BR', {
			...findings.foundIn(byId),
			names: others,
		});
		const byName = await remove(`${encodeURIComponent(second)}?name=${name}`);
		const rest = await left();
		findings.record('template.delete-by-name', rest.length === 0, {
			...findings.foundIn(byName),
			names: rest,
		});
	} finally {
		const missed = await removeTemplates(wire, templatesPath);
		if (missed > 0) run.say(`… ${missed} templates named ${MARK}_… could not be deleted.`);
	}
}

async function templateRoots(wire: Wire, templatesPath: string): Promise<string[]> {
	const { body } = await wire.call(templatesPath, { always: true });
	const businesses = businessesSchema.safeParse(body).data ?? [];
	return businesses
		.slice(0, 1)
		.map(({ businessId }) => `${templatesPath}/${encodeURIComponent(businessId)}/templates`);
}

/** The templates of a probe, whichever run made them. */
async function marked(wire: Wire, root: string): Promise<ListedTemplate[]> {
	const found: ListedTemplate[] = [];
	let after = '';
	for (let pages = 0; pages < PAGES_MAX; pages += 1) {
		const query = `limit=${TEMPLATE_PAGE_SIZE.max}${after && `&after=${encodeURIComponent(after)}`}`;
		const { data } = templatePageSchema.safeParse(
			(await wire.call(`${root}?${query}`, { always: true })).body,
		);
		found.push(...(data?.data ?? []).filter(({ name }) => name.startsWith(MARK)));
		after = data?.paging?.cursors?.after ?? '';
		if (after === '' || data?.data.length === 0) break;
	}
	return found;
}

/** @returns how many could not be deleted */
async function removeTemplates(wire: Wire, templatesPath: string): Promise<number> {
	let missed = 0;
	for (const root of await templateRoots(wire, templatesPath))
		for (const { id } of await marked(wire, root)) {
			const path = `${root}/${encodeURIComponent(id ?? '')}`;
			const { status } = await wire.call(path, { method: 'DELETE', always: true });
			if (status >= 300) missed += 1;
		}
	return missed;
}
