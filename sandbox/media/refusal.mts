import { MEDIA_SUB_CODES, type MediaSubCode } from '../contract.mts';
import { Refusal } from '../core/errors.mts';

/** What is wrong with media, as the service says it: shape C with a code to branch on. */
export const mediaRefusal = (subCode: MediaSubCode, message: string) =>
	new Refusal(MEDIA_SUB_CODES[subCode], message, { shape: 'C', subCode });
