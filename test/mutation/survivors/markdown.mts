import type { Rule } from '../naming.mts';

export const MARKDOWN: readonly Rule[] = [];
