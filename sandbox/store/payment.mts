/** The states of a channel's subscription. Source: published. */
export const PAYMENT_STATUSES = [
	'PAID',
	'PENDING',
	'CANCELED',
	'TRIAL',
	'BOLETO_PENDING',
	'CANCELLATION_PROCESS',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** Milliseconds that a subscription is paid for. Assumed: nothing is published about it. */
export const PAID_TIME = 30 * 86_400_000;

/** The state at a time: a subscription that was cancelled ends with the paid time. */
export const paymentAt = (
	now: number,
	{ paymentStatus, due }: { paymentStatus: PaymentStatus; due: number | null },
): PaymentStatus =>
	paymentStatus === 'CANCELLATION_PROCESS' && due !== null && due <= now
		? 'CANCELED'
		: paymentStatus;

export const isPaidFor = (status: PaymentStatus): boolean =>
	status === 'PAID' || status === 'CANCELLATION_PROCESS';
