import { randomBytes } from 'node:crypto';

import type { Context } from './context.mts';

/** The demo tenant's secret key in a sandbox that only this machine can call. It is public. */
export const DEMO_SECRET_KEY = 'sandbox_sk_demo';

const STORED = 'demo_secret_key';

/** The stored key of the demo tenant, whether the tenant exists or not. */
export const givenDemoKey = ({ meta }: Pick<Context, 'meta'>): string =>
	meta.get(STORED) ?? DEMO_SECRET_KEY;

/** The demo tenant's secret key; null if it is not or no longer valid. */
export function demoSecretKey(context: Pick<Context, 'meta' | 'tenants'>): string | null {
	const key = givenDemoKey(context);
	return context.tenants.findBySecretKey(key) ? key : null;
}

/** Stores the key as text, because the start prints it and tenants only have its hash. */
export function keepDemoKey({ meta }: Context, key: string): void {
	if (key !== DEMO_SECRET_KEY) meta.set(STORED, key);
}

/**
 * Replaces the published key in a sandbox that other machines can call, because with it they could
 * make the sandbox call this machine.
 */
export function replacePublishedKey(context: Context): void {
	const tenant = context.tenants.findBySecretKey(DEMO_SECRET_KEY);
	if (!context.isOpen || !tenant) return;
	const key = `sandbox_sk_${randomBytes(24).toString('base64url')}`;
	context.db.transaction(() => {
		context.tenants.setSecretKey(tenant.id, key);
		keepDemoKey(context, key);
	});
}
