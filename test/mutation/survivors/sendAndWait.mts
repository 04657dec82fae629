import type { Rule } from '../naming.mts';

export const SEND_AND_WAIT: readonly Rule[] = [];
