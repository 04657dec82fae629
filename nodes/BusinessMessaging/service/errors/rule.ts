import type { Failure } from './failure';
import type { QuotableResponse, RequestKind } from './response';

/** What a response means. Without an effect, nothing was done. */
export type Diagnosis = Pick<Failure, 'reason' | 'cause' | 'hint'> &
	Partial<Pick<Failure, 'effect'>>;

export interface Rule {
	/** The statuses that it is about, or the first and the last of them. */
	status: readonly number[] | { from: number; to: number };
	/** The requests that it is about. If left out, all of them. */
	of?: readonly RequestKind[];
	when?: (response: QuotableResponse) => boolean;
	says: Diagnosis | ((response: QuotableResponse) => Diagnosis);
}

export const RETRY_LATER = 'Try again later, or turn on "Retry On Fail" in the node\'s settings.';

/** The hint and the effect of what ended before the service was done. */
export const MAYBE_DONE = {
	hint: 'It may have been done anyway. Check before you repeat it.',
	effect: 'unknown',
} as const;

export const isFromService = (response: QuotableResponse): boolean => response.isFromService;
/** Whether the service's own words have this. */
export const says =
	(pattern: RegExp) =>
	({ isFromService: isOwn, said }: QuotableResponse): boolean =>
		isOwn && pattern.test(said);
/** What a refusal is quoted as, if nothing more is known of it. */
export const asQuoted = ({ isFromService: isOwn, codes, quote }: QuotableResponse): string =>
	isOwn && !codes ? quote : `the service answered with ${quote}`;
export const failed = ({ quote }: QuotableResponse): string => `the service failed (${quote})`;
