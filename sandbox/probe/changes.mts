import {
	businessesSchema,
	channelPageSchema,
	connectResponseSchema,
	createChannelResponseSchema,
	createdTemplateSchema,
	type ListedTemplate,
	TEMPLATE_PAGE_SIZE,
	templatePageSchema,
} from '../contract.mts';
import { MARK } from './marks.mts';
import { ask, canSend, NO_ROLE, type Run, send, text, without } from './runContext.mts';
import type { Answer } from './wire.mts';

/** Asks about a channel of the probe's own, which is never connected or paid for. */
export async function probeChannels(run: Run): Promise<string | void> {
	const { call, findings } = run;
	const unknown = `/v1/channels/${run.unknownId}`;
	const [disconnect, deletion] = [{ method: 'PUT' }, { method: 'DELETE' }];
	await ask(run, { 'channel.disconnect-unknown': [`${unknown}/disconnect`, disconnect] });
	if (!run.hasRole) {
		await ask(run, { 'channel.deletion-role': [unknown, deletion] });
		// What it created, it could not delete.
		return NO_ROLE;
	}
	findings.skip('the account has the role', 'channel.deletion-role');
	const unknownType = { body: { name: MARK, type: 'NO_SUCH_TYPE' } };
	await ask(run, {
		'channel.delete-unknown': [unknown, deletion],
		'channel.new-unknown-type': ['/v1/channels', unknownType],
	});
	const type = await typeOfOwn(run);
	if (type === undefined) return 'the type of your channel cannot be read';
	const created = await call('/v1/channels', { body: { name: MARK, type } });
	const { data } = createChannelResponseSchema.safeParse(created.body);
	findings.success('channel.create', created, () => data !== undefined);
	if (data === undefined) return 'no channel could be created';
	const path = `/v1/channels/${encodeURIComponent(data.id)}`;
	await probeConnect(run, `${path}/connect`);
	if (canSend(run)) {
		const message = 'A probe of the service: please ignore this.';
		findings.refusal('send.not-connected', await send(run, text(message), data.id));
	} else findings.skip(without('--allow sends', '--phone'), 'send.not-connected');
	const ended = { ...deletion, body: { cancelReason: 'The probe has ended' } };
	await ask(run, {
		'channel.disconnect': [`${path}/disconnect`, disconnect, (body) => body === true],
		'channel.delete': [path, ended, (body) => body === undefined],
	});
}

/** The type of the user's channel: the account has it, and the service knows it. */
async function typeOfOwn({ call, channelId }: Run): Promise<string | undefined> {
	const shown = (await call(`/v1/channels/${channelId}`)).body as { type?: unknown } | undefined;
	if (typeof shown?.type === 'string') return shown.type;
	const list = (await call('/v1/channels')).body;
	return channelPageSchema.safeParse(list).data?.content[0]?.type ?? undefined;
}

/** One of the two published refusals of Connect. */
const isRefusedBySuccess = ({ status, body }: Answer): boolean =>
	status === 200 && connectResponseSchema.safeParse(body).data?.success === false;

async function probeConnect({ call, findings }: Run, path: string): Promise<void> {
	const body = { wabaId: '1', phoneId: '1', coexistence: false };
	const partial = await call(path, { body });
	if (isRefusedBySuccess(partial))
		findings.skip('a channel of this kind is connected by other fields', 'connect.fields');
	else findings.refusal('connect.fields', partial);
	const answer = await call(path, { body: { ...body, code: 'no-code' } });
	const isRefused = isRefusedBySuccess(answer) || (answer.status >= 400 && answer.status < 500);
	findings.note({ 'connect.refused': isRefused || findings.foundIn(answer) });
}

/** Begins the names of the probe's templates, so that any later run finds them. */
const TEMPLATE_MARK = 'business_messaging_probe';
const LANGUAGES = ['en_US', 'pt_BR', 'es'] as const;
const PAGES_MAX = 60;
const BODY = { type: 'BODY', text: 'A probe of the service. Please ignore this template.' };

/** Asks what is deleted by an ID and by a name, of a template of its own that is never sent. */
export async function probeTemplates(run: Run): Promise<string | void> {
	const { call, findings, templatesPath, token } = run;
	const { body } = await call(templatesPath, { always: true });
	const [business] = businessesSchema.safeParse(body).data ?? [];
	if (!business) return 'the account has no business account';
	const root = `${templatesPath}/${encodeURIComponent(business.businessId)}/templates`;
	await removeTemplates(run, root);
	// The name of one that was approved meanwhile stays taken.
	const name = `${TEMPLATE_MARK}_${token.slice(0, 8)}`;
	const make = async (language: string) =>
		await call(root, { body: { name, language, category: 'UTILITY', components: [BODY] } });
	const left = async () => (await marked(run, root)).map(({ language }) => language).sort();
	const remove = async (path: string) => await call(`${root}/${path}`, { method: 'DELETE' });
	try {
		const ids: string[] = [];
		for (const language of LANGUAGES) {
			const { data } = createdTemplateSchema.safeParse((await make(language)).body);
			if (data) ids.push(data.id);
		}
		const [first, second] = ids;
		if (first === undefined || second === undefined || ids.length < LANGUAGES.length)
			return 'no template could be created';
		const refusal = await make(LANGUAGES[0]);
		const byId = findings.foundIn(await remove(encodeURIComponent(first)));
		const others = await left();
		const byName = findings.foundIn(await remove(`${encodeURIComponent(second)}?name=${name}`));
		const rest = await left();
		findings.note({
			'template.refusal': refusal.status === 422 || findings.foundIn(refusal),
			'template.delete-by-id': others.join() === 'es,pt_BR' || { ...byId, names: others },
			'template.delete-by-name': rest.length === 0 || { ...byName, names: rest },
		});
	} finally {
		const missed = await removeTemplates(run, root);
		if (missed > 0) run.say(`… ${missed} templates named ${TEMPLATE_MARK}_… could not be deleted.`);
	}
}

/** The templates of a probe, whichever run made them. */
async function marked({ call }: Run, root: string): Promise<ListedTemplate[]> {
	const found: ListedTemplate[] = [];
	let after = '';
	for (let pages = 0; pages < PAGES_MAX; pages += 1) {
		const query = `limit=${TEMPLATE_PAGE_SIZE.max}${after && `&after=${encodeURIComponent(after)}`}`;
		const { body } = await call(`${root}?${query}`, { always: true });
		const { data } = templatePageSchema.safeParse(body);
		found.push(...(data?.data ?? []).filter(({ name }) => name.startsWith(TEMPLATE_MARK)));
		after = data?.paging?.cursors?.after ?? '';
		if (after === '' || data?.data.length === 0) break;
	}
	return found;
}

/** @returns how many could not be deleted */
async function removeTemplates(run: Run, root: string): Promise<number> {
	let missed = 0;
	for (const { id } of await marked(run, root)) {
		const path = `${root}/${encodeURIComponent(id ?? '')}`;
		const { status } = await run.call(path, { method: 'DELETE', always: true });
		if (status >= 300) missed += 1;
	}
	return missed;
}
