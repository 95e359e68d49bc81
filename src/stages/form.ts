import { betweenValues, isComputed, outputOf } from '../context/computed-passage.ts';
import { identifierParts } from '../context/words/identifier.ts';
import { contentTerms } from '../context/words/terms.ts';
import { type ErrorInfo, RlmError } from '../errors.ts';
import { type CitedFields, citeFields } from '../evidence/fields/cite-fields.ts';
import { writeJson } from '../evidence/fields/write-json.ts';
import type { Run } from '../run/run.ts';
import { fitInTurns } from '../run/text/fit-passages.ts';
import { refitting } from '../run/text/refit.ts';
import { type AnswerSchema, type JsonSchema, schemaAt, variantOf, wordsAbout } from '../schema/json-schema.ts';
import {
  type Claim,
  type Critiqued,
  type Form,
  type Formed,
  notChecked,
  type Passage,
  type TreeNode,
} from '../state.ts';
import { translated } from '../strategies/computed.ts';
import { confidenceIn } from './critic.ts';
import type { Stage } from './retriever.ts';

const idsIn = ({ citations, passages, children }: TreeNode): string[] => [
  ...citations.map(({ passage }) => passage),
  ...passages.map(({ id }) => id),
  ...children.flatMap(idsIn),
];

function passagesFor({ read, recursionTree }: Critiqued, taken: number, run: Run): readonly Passage[] {
  const cited = run.passages.byId([...new Set(recursionTree.citations.map(({ passage }) => passage))]);
  const all = cited.length > 0 ? cited : run.passages.byId([...new Set(idsIn(recursionTree))]);
  const room = run.models.roomFor('form', 'form') - taken;
  return fitInTurns([read.length > 0 ? read : all], room);
}

/** Asks a model to put the answer into the form. Resolves to JSON that conforms to the schema. */
async function ask(state: Critiqued, schema: AnswerSchema, run: Run): Promise<string> {
  const { task: question, recursionTree } = state;
  const answer = recursionTree.answer ?? '';
  const taken = Buffer.byteLength(answer + JSON.stringify(schema.reply));
  const { json } = await refitting(run, () => {
    const variables = { question, answer, passages: passagesFor(state, taken, run), schema };
    return run.ask('form', variables, { path: 'form', share: 'kept' });
  });
  return json;
}

function failureOf(error: RlmError): ErrorInfo {
  if (error.code !== 'reply-unusable') return error.toInfo();
  const why = error.message.replace(/^.*?cannot be used: /, '').replace(/; it began .*$/, '');
  return new RlmError('schema-unmet', `the answer could not be put into the form of --schema: ${why}`, {
    hint: 'Allow null where the text may lack a value ("type": ["string", "null"]), give more text, or use a larger model.',
  }).toInfo();
}

/** Field names that fit any question. */
const usualNames = ['answer', 'number', 'result', 'value'];

/** Whether the name or description of a field suits the computed value. `about`: the question and the query. */
function namesComputed(json: JsonSchema, key: string, about: string): boolean {
  const known = new Set(contentTerms(about));
  return usualNames.includes(key) || contentTerms(`${key} ${wordsAbout(json, [key])}`).some((term) => known.has(term));
}

/**
 * Returns the forms that the computed value can take: for a number, the number and then its text. Null if code did not
 * compute exactly one value, or if the schema has several fields.
 */
function computedForms({ task, recursionTree }: Critiqued, { json }: AnswerSchema, run: Run) {
  const { certainty, citations } = recursionTree;
  const [passage] = run.passages.byId(citations.slice(0, 1).map((citation) => citation.passage));
  const keys = Object.keys(variantOf(json, json)?.['properties'] ?? {});
  if (certainty === null || passage === undefined || !isComputed(passage) || keys.length > 1) return null;
  const output = outputOf(passage);
  if (output === '' || output.includes(betweenValues)) return null;
  const [key] = keys;
  const values = Number.isFinite(Number(output)) ? [Number(output), output] : [output];
  return {
    key,
    forms: values.map((value): unknown => (key === undefined ? value : { [key]: value })),
    isNamed: key === undefined || namesComputed(json, key, `${task} ${passage.text}`),
  };
}

function isNamed(field: string, name: string): boolean {
  const wordsOf = (one: string) => contentTerms(one.split(/\W+/).flatMap(identifierParts).join(' '));
  const [words, others] = [field, name].map((one) => [...new Set(wordsOf(one))].sort().join(' '));
  return field === name || (words !== '' && words === others);
}

/**
 * Returns the computed rows in the form. A field without a column is null. Undefined if code computed no rows, if the
 * form is not a single list, or if no field's name matches a column.
 */
async function computedRows({ recursionTree }: Critiqued, { json }: AnswerSchema, run: Run): Promise<unknown> {
  const keys = Object.keys(variantOf(json, json)?.['properties'] ?? {});
  const typesAt = (path: readonly string[]) => [schemaAt(json, path)?.['type']].flat();
  if (recursionTree.certainty === null || keys.length > 1 || !typesAt(keys).includes('array')) return undefined;
  const found = await translated(recursionTree.question, run, () => {});
  if (!found?.isExact) return undefined;
  const { columns, values } = found;
  const fields = Object.keys(schemaAt(json, [...keys, '0'])?.['properties'] ?? {}).map((field) => ({
    field,
    at: columns.findIndex((names) => names.some((name) => isNamed(field, name))),
    isText: !typesAt([...keys, '0', field]).some((type) => type === 'number' || type === 'integer'),
  }));
  if (fields.every(({ at }) => at === -1)) return undefined;
  const rows = values.flatMap((_, start) => (start % columns.length === 0 ? [values.slice(start)] : []));
  const list = rows.map((row) =>
    Object.fromEntries(
      fields.map(({ field, at, isText }) => [field, isText && row[at] != null ? String(row[at]) : (row[at] ?? null)]),
    ),
  );
  return keys.length === 0 ? list : { [keys[0]!]: list };
}

const unfit = (why: readonly (string | null)[]): RlmError =>
  new RlmError('schema-unmet', `the computed value does not fit the form of --schema: ${why.join('; ')}`, {
    hint: 'Change the schema, name a language model (--provider, --model), or ask without --schema.',
  });

/**
 * Returns the computed rows or value in the form. Undefined if a language model has to be asked instead.
 * @throws RlmError `schema-unmet` for rows that do not fit the form. Without a language model, also for a value that
 * does not fit it.
 */
async function computedValue(state: Critiqued, schema: AnswerSchema, run: Run): Promise<unknown> {
  const rows = await computedRows(state, schema, run);
  const problem = rows === undefined ? null : schema.problemOf(rows);
  if (problem !== null) throw unfit([problem]);
  if (rows !== undefined) return rows;
  const computed = computedForms(state, schema, run);
  if (computed === null) return undefined;
  const { key, forms, isNamed } = computed;
  const fitting = forms.find((form) => schema.problemOf(form) === null);
  if (isNamed && fitting !== undefined) return fitting;
  if (run.models.info('form', 'form').quotes !== true) return undefined;
  const { type } = schemaAt(schema.json, key === undefined ? [] : [key]) ?? {};
  const tried = [type].flat().includes('string') ? forms.at(-1) : forms[0];
  const why = [
    ...(fitting === undefined ? [schema.problemOf(tried)] : []),
    ...(isNamed ? [] : [`/${key}: no word of its name or description is in the question`]),
  ];
  throw unfit(why);
}

const unchecked = (claims: readonly Claim[], reason: string): Claim[] =>
  claims.map((claim) => ({ ...claim, support: null, verdict: 'unchecked', reason }));

/** Sets claims to unchecked if nothing checks them. Computed fields without citations get the answer's citations. */
function judgeFields({ recursionTree }: Critiqued, fields: CitedFields, { settings }: Run): CitedFields {
  const { claims, citations } = fields;
  if (settings.evidence.check === 'off') return { ...fields, claims: unchecked(claims, notChecked.off) };
  if (recursionTree.certainty === null) return fields;
  const cited = citations.length > 0 ? citations : recursionTree.citations;
  return { ...fields, claims: unchecked(claims, notChecked.computed), citations: cited };
}

/** Returns the confidence in the fields. Keeps the confidence of a match, and of an answer that was not checked. */
function confidenceOf(state: Critiqued, { claims, citations }: CitedFields, run: Run) {
  const { confidence, confidenceKind, confidenceReason, contradictions } = state;
  const isKept = confidenceKind === 'match' || run.settings.evidence.check === 'off';
  if (isKept) return { confidence, confidenceReason };
  const found = confidenceIn(state, { claims, citations, contradictions }, state.critique?.score ?? null, run);
  return { confidence: found.confidence, confidenceReason: found.reason };
}

function inForm(state: Critiqued, value: unknown, schema: AnswerSchema, run: Run): Formed {
  const { text, leaves } = writeJson(value);
  const kinds = {
    isChoice: (path: readonly string[]) => Array.isArray(schemaAt(schema.json, path)?.['enum']),
    about: (path: readonly string[]) => wordsAbout(schema.json, path),
  };
  const read = run.passages.byId([...new Set(idsIn(state.recursionTree))]);
  const passages = state.recursionTree.certainty === null ? read : read.filter(isComputed);
  const fields = judgeFields(state, citeFields(leaves, kinds, state.task, passages), run);
  const { claims, citations, fieldCitations } = fields;
  const form: Form = { value, fieldCitations, error: null };
  const confidence = confidenceOf(state, fields, run);
  return { ...state, solution: text, citations, claims, ...confidence, form };
}

/** Creates the stage that puts the answer into the form. If that fails, the answer stays as it is. */
export function fillForm(schema: AnswerSchema): Stage<Critiqued, Formed> {
  return async (state, run) => {
    const without = (error: ErrorInfo | null) => ({ ...state, form: { value: null, fieldCitations: {}, error } });
    if (state.solution === null) return without(null);
    try {
      const computed = await computedValue(state, schema, run);
      const value = computed === undefined ? JSON.parse(await ask(state, schema, run)) : computed;
      const formed = inForm(state, value, schema, run);
      const { solution, claims, contradictions } = formed;
      run.events.emit({ type: 'evidence.checked', answer: solution ?? '', claims, contradictions });
      return formed;
    } catch (error) {
      if (!(error instanceof RlmError)) throw error;
      return without(failureOf(error));
    }
  };
}
