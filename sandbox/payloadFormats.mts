/**
 * Forms of the bodies of deliveries, by kind of webhook. Two have other names on a real service,
 * each that of a product. Source: published.
 */
export const PAYLOAD_FORMATS = {
	channel: ['DEFAULT', 'VENDOR_1', 'VENDOR_2'],
	template: ['DEFAULT'],
} as const;
