/** Most levels of a template. The service's have about eight; n8n cannot read one of thousands. */
export const TEMPLATE_DEPTH_MAX = 64;

/** Whether lists and objects are nested deeper. Looks no deeper, to spare the stack. */
export function isDeeperThan(limit: number, value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (limit === 0) return true;
	return Object.values(value).some((inner) => isDeeperThan(limit - 1, inner));
}
