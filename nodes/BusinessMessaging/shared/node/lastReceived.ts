import { idKey } from '../../service/contract';
import { BoundedMap } from '../tools/boundedMap';

/** When this process last took a delivery of a channel, in ISO format. */
const times = new BoundedMap<string>(10_000);

export function rememberReceived(channelId: string): void {
	times.set(idKey(channelId), new Date().toISOString());
}

export const lastReceived = (channelId: string): string | undefined => times.get(idKey(channelId));
