import { type ErrorInfo, RlmError } from '../errors.ts';
import { type CitedFields, citeFields } from '../evidence/fields/cite-fields.ts';
import { writeJson } from '../evidence/fields/write-json.ts';
import type { Run } from '../run/run.ts';
import { fitInTurns } from '../run/text/fit-passages.ts';
import { refitting } from '../run/text/refit.ts';
import { type AnswerSchema, schemaAt } from '../schema/json-schema.ts';
import type { Executed, Form, Formed, Passage, TreeNode } from '../state.ts';
import type { Stage } from './stage.ts';

const readIn = ({ citations, passages, children }: TreeNode): string[] => [
  ...citations.map(({ passage }) => passage),
  ...passages.map(({ id }) => id),
  ...children.flatMap(readIn),
];

/** What the form is filled from: the passages as the answer's prompt showed them, else those that it rests on. */
function passagesFor({ read, recursionTree }: Executed, taken: number, run: Run): readonly Passage[] {
  const cited = run.passages([...new Set(recursionTree.citations.map(({ passage }) => passage))]);
  const all = cited.length > 0 ? cited : run.passages([...new Set(readIn(recursionTree))]);
  const room = run.roomFor('form', 'form') - taken;
  return fitInTurns([read.length > 0 ? read : all], room);
}

/** Asks for the answer in the form. @returns JSON that conforms. */
async function ask(state: Executed, schema: AnswerSchema, run: Run): Promise<string> {
  const { task: question, recursionTree } = state;
  const answer = recursionTree.answer ?? '';
  const taken = Buffer.byteLength(answer + JSON.stringify(schema.reply));
  const reply = await refitting(run, () =>
    run.ask(
      'form',
      { question, answer, passages: passagesFor(state, taken, run), schema },
      { path: 'form', share: 'kept' },
    ),
  );
  return reply.json;
}

/** Why there is no answer in the form. What a model could not do is below the bar; a limit stays a limit. */
function failureOf(error: RlmError): ErrorInfo {
  if (error.code !== 'reply-unusable') return error.toInfo();
  const why = error.message.replace(/^.*?cannot be used: /, '').replace(/; it began .*$/, '');
  return new RlmError('schema-unmet', `the answer could not be put into the form of --schema: ${why}`, {
    hint: 'Allow null where the text may not tell ("type": ["string", "null"]), give more text, or use a larger model.',
  }).toInfo();
}

/** What code has computed stands in no sentence: its fields rest on what the answer cites. */
function computedFields({ recursionTree }: Executed, fields: CitedFields): CitedFields {
  const reason = 'code has computed it';
  const claims = fields.claims.map((claim) => ({ ...claim, support: null, verdict: 'unchecked', reason }) as const);
  return { ...fields, claims, citations: fields.citations.length > 0 ? fields.citations : recursionTree.citations };
}

function fieldsOf(state: Executed, value: unknown, schema: AnswerSchema, run: Run) {
  const { text, leaves } = writeJson(value);
  const isChoice = (path: readonly string[]) => Array.isArray(schemaAt(schema.json, path)?.['enum']);
  const passages = run.passages([...new Set(readIn(state.recursionTree))]);
  const found = citeFields(leaves, isChoice, state.task, passages);
  return { text, fields: state.recursionTree.certainty === null ? found : computedFields(state, found) };
}

const none = { value: null, claims: [], fieldCitations: {} } as const;

/**
 * Puts the answer into the form that the user asks for, in one call: then its JSON is the answer, and its fields are
 * the claims. The answer stays as it is where that fails, and `error` says why.
 */
export function fillForm(schema: AnswerSchema): Stage<Executed, Formed> {
  return async (state, run) => {
    if (state.solution === null) return { ...state, form: { ...none, error: null } };
    try {
      const value: unknown = JSON.parse(await ask(state, schema, run));
      const { text, fields } = fieldsOf(state, value, schema, run);
      const { claims, fieldCitations, citations } = fields;
      const form: Form = { value, claims, fieldCitations, error: null };
      return { ...state, solution: text, evidence: { citations }, form };
    } catch (error) {
      if (!(error instanceof RlmError)) throw error;
      return { ...state, form: { ...none, error: failureOf(error) } };
    }
  };
}
