import { DEMO_PUBLIC_KEY } from '#sandbox/seed.mts';
import type { Host } from './host.mts';

export interface NewTenant {
	name: string;
	secretKey: string;
	enterprise: boolean;
}

/** Adds an account with one connected channel to the sandbox. */
export async function createTenant(
	host: Host,
	{ name, secretKey, enterprise }: NewTenant,
): Promise<{ tenantId: string; channelId: string }> {
	const publicKey = secretKey.replace('_sk_', '_pk_');
	const channels = [{ name: `Channel of ${name}` }];
	const { tenants } = await host.sandbox.post<{
		tenants: Array<{ id: string; channels: string[] }>;
	}>('/_sandbox/seed', {
		tenants: [{ name, secretKey, publicKey, enterprise, channels }],
	});
	return { tenantId: tenants[0]?.id ?? '', channelId: tenants[0]?.channels[0] ?? '' };
}

/** The result of the connection SDK (published). */
interface SdkResult {
	success: boolean;
	channelId: string;
	code: string;
	wabaId: string;
	phoneId: string;
	coexistence: boolean;
}

/**
 * What the connection SDK gives to its page once a customer agreed to connect this channel. The
 * default is the demo account.
 */
export async function issueConnectionData(
	host: Host,
	channelId: string,
	publicKey = DEMO_PUBLIC_KEY,
): Promise<SdkResult> {
	return await host.sandbox.post(
		'/_sandbox/sdk/connect',
		{ channelId },
		{ authorization: `Bearer ${publicKey}` },
	);
}
