import { MEDIA_SUB_CODES, type MediaSubCode } from '../contract.mts';
import { Refusal } from '../core/errors.mts';

/** A problem with media, as the service reports it: shape C with a code. */
export const mediaRefusal = (subCode: MediaSubCode, message: string) =>
	new Refusal(MEDIA_SUB_CODES[subCode], message, { shape: 'C', subCode });
