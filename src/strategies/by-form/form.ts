import { type Comparison, readComparison } from './comparison.ts';
import { type DocumentChoice, readDocumentChoice } from './documents.ts';
import { type Join, readJoin } from './join.ts';

/** The parts of a question, recognised by its words without a model. */
export type Form = Comparison | DocumentChoice | Join;

/** Reads the form of a question; null where its words show no parts. */
export const readForm = (question: string): Form | null =>
  readComparison(question) ?? readDocumentChoice(question) ?? readJoin(question);
