import type { Rule } from '../naming.mts';

export const SERVICE: readonly Rule[] = [];
