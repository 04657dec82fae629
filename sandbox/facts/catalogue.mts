import { CHANGES } from './changes.mts';
import type { Fact } from './fact.mts';
import { MESSAGES } from './messages.mts';
import { READING } from './reading.mts';
import { UNASKED } from './unasked.mts';

const CATALOGUE = { ...READING, ...CHANGES, ...MESSAGES, ...UNASKED };
export type FactId = keyof typeof CATALOGUE;

/** The published and assumed facts of docs/contract.md, in the order of the report. */
export const FACTS: Readonly<Record<FactId, Fact>> = CATALOGUE;
export const FACT_IDS = Object.keys(CATALOGUE) as FactId[];

export const isFactId = (id: string): id is FactId => Object.hasOwn(CATALOGUE, id);
