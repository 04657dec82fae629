import type { Context } from '../../context.mts';
import { CHANNEL_NOT_FOUND } from '../../contract.mts';
import { Refusal } from '../../core/errors.mts';
import { storedId } from '../../core/ids.mts';
import type { Channel } from '../../store/channels.mts';
import type { Tenant } from '../../store/tenants.mts';

export function channelNamed(context: Context, id: string): Channel {
	const channel = context.channels.get(storedId(id));
	if (!channel) throw new Refusal(404, CHANNEL_NOT_FOUND.message);
	return channel;
}

/** The tenant that is named, or the first one. */
export function tenantNamed(context: Context, id: string | undefined): Tenant {
	const tenant = id === undefined ? context.tenants.list()[0] : context.tenants.get(storedId(id));
	if (!tenant) throw new Refusal(404, 'Tenant not found');
	return tenant;
}
