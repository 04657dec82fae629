import {
	channelPageSchema,
	connectResponseSchema,
	createChannelResponseSchema,
} from '../contract.mts';
import type { Answer } from './answer.mts';
import { MARK } from './marks.mts';
import { NO_ROLE, type Run, without } from './runContext.mts';
import { isSent, send, text } from './send.mts';

/** Asks about a channel of the probe's own, which is never connected or paid for. */
export async function probeChannels(run: Run): Promise<void> {
	const { wire, findings, allowed, unknownId } = run;
	if (!allowed.has('channels')) return findings.skipAll('channels', without('--allow channels'));
	const unknown = `/v1/channels/${unknownId}`;
	const disconnect = { method: 'PUT' };
	findings.refusal(
		'channel.disconnect-unknown',
		await wire.call(`${unknown}/disconnect`, disconnect),
	);
	const deletion = await wire.call(unknown, { method: 'DELETE' });
	if (!run.hasRole) {
		findings.refusal('channel.deletion-role', deletion);
		// What it created, it could not delete.
		return findings.skipAll('channels', NO_ROLE);
	}
	findings.skip('channel.deletion-role', 'the account has the role');
	findings.refusal('channel.delete-unknown', deletion);
	findings.refusal(
		'channel.new-unknown-type',
		await wire.call('/v1/channels', { body: { name: MARK, type: 'NO_SUCH_TYPE' } }),
	);
	const type = await typeOfOwn(run);
	if (type === undefined)
		return findings.skipAll('channels', 'the type of your channel cannot be read');
	const created = await wire.call('/v1/channels', { body: { name: MARK, type } });
	const { data } = createChannelResponseSchema.safeParse(created.body);
	findings.success('channel.create', created, () => data !== undefined);
	if (data === undefined) return findings.skipAll('channels', 'no channel could be created');
	const path = `/v1/channels/${encodeURIComponent(data.id)}`;
	await probeConnect(run, path);
	await probeSend(run, data.id);
	findings.success(
		'channel.disconnect',
		await wire.call(`${path}/disconnect`, disconnect),
		(body) => body === true,
	);
	const deleted = { method: 'DELETE', body: { cancelReason: 'The probe has ended' } };
	findings.success('channel.delete', await wire.call(path, deleted), (body) => body === undefined);
}

/** The type of the user's channel: the account has it, and the service knows it. */
async function typeOfOwn({ wire, channelId }: Run): Promise<string | undefined> {
	const shown = (await wire.call(`/v1/channels/${channelId}`)).body as
		{ type?: unknown } | undefined;
	if (typeof shown?.type === 'string') return shown.type;
	const list = (await wire.call('/v1/channels')).body;
	return channelPageSchema.safeParse(list).data?.content[0]?.type ?? undefined;
}

/** One of the two published refusals of Connect. */
const isRefusedBySuccess = ({ status, body }: Answer): boolean =>
	status === 200 && connectResponseSchema.safeParse(body).data?.success === false;

async function probeConnect({ wire, findings }: Run, path: string): Promise<void> {
	const body = { wabaId: '1', phoneId: '1', coexistence: false };
	const partial = await wire.call(`${path}/connect`, { body });
	if (isRefusedBySuccess(partial))
		findings.skip('connect.fields', 'a channel of this kind is connected by other fields');
	else findings.refusal('connect.fields', partial);
	const answer = await wire.call(`${path}/connect`, { body: { ...body, code: 'no-code' } });
	const isRefused = isRefusedBySuccess(answer) || (answer.status >= 400 && answer.status < 500);
	findings.record('connect.refused', isRefused, findings.foundIn(answer));
}

async function probeSend(run: Run, channelId: string): Promise<void> {
	const { findings, allowed, phone } = run;
	if (!allowed.has('sends') || phone === undefined)
		return findings.skip('send.not-connected', without('--allow sends', '--phone'));
	const answer = await send(run, text('A probe of the service: please ignore this.'), channelId);
	if (isSent(answer)) findings.record('send.not-connected', false, findings.foundIn(answer));
	else findings.refusal('send.not-connected', answer);
}
