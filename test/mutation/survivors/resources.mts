import type { Rule } from '../naming.mts';

export const RESOURCES: readonly Rule[] = [];
