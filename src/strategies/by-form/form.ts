import { type Comparison, readComparison } from './comparison.ts';
import { type DocumentChoice, readDocumentChoice } from './documents.ts';
import { type Join, readJoin } from './join.ts';

/** The parts of a question as its words show them, so that no model has to be asked for them. */
export type Form = Comparison | DocumentChoice | Join;

/** The form of a question; null where its words show no parts. */
export const readForm = (question: string): Form | null =>
  readComparison(question) ?? readDocumentChoice(question) ?? readJoin(question);
