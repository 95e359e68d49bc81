import type { Completeness, ExploredFinding, Passage } from '../state.ts';
import { asIs, bullets, definePrompt, type KnownAnswer, type Message, renderKnown, renderPassages } from './prompt.ts';
import { choice, type Field, field, type ReplyOf } from './reply/fields.ts';

const completenessFields = {
  tells: {
    kind: 'choice',
    options: ['all', 'part', 'nothing'],
    otherwise: 'unsaid',
    label: 'TELLS',
    about:
      'all when the question is answered, also by showing that it rests on something the text denies; part when only a part of it or a step towards it is; nothing when what was read does not tell, also when you are sure that the text does not say it',
    required: false,
  },
  missing: field(
    'list',
    'MISSING',
    'a short question for something that has to be looked up elsewhere in the text to complete the answer; it stands by itself, with names instead of "it"; none when the answer tells all',
  ),
} as const satisfies Readonly<Record<string, Field>>;

/** Returns the completeness that a reply reports. */
export function completenessOf({ tells, missing }: ReplyOf<typeof completenessFields>): Completeness {
  if (tells === 'unsaid') return { tells: missing.length > 0 ? 'part' : null, missing };
  return { tells, missing: tells === 'all' ? [] : missing };
}

/** The variables of a prompt that asks for an answer from passages. */
export interface PassagesVariables {
  readonly question: string;
  readonly passages: readonly Passage[];
  readonly known: readonly KnownAnswer[];
  readonly criteria: readonly string[];
}

/** A query and its result. */
export interface Queried {
  readonly sql: string;
  /** The rows with the ids by which they can be cited, or why the query failed. */
  readonly result: string;
  readonly ids: readonly string[];
}

export interface AnswerVariables extends PassagesVariables {
  /** A description of the text's records as SQL tables; may be empty. */
  readonly tables: string;
  readonly queried: readonly Queried[];
  readonly mayQuery: boolean;
  /** Whether the reply may say that the answer needs all of the text. */
  readonly mayNeedAll: boolean;
}

/** Variables for a reply that may not request a query, but may say that the answer needs all of the text. */
export const noQueries = {
  tables: '',
  queried: [],
  mayQuery: false,
  mayNeedAll: true,
} as const satisfies Partial<AnswerVariables>;

/** Returns the ids of the passages that a prompt shows. */
export const idsOf = ({ passages }: { readonly passages: readonly Passage[] }): readonly string[] =>
  passages.map(({ id }) => id);

const asksMarks =
  'After each statement write the ids of all passages it rests on, in square brackets. Use only ids that are given.';

const queryTurns = ({ queried, mayQuery }: AnswerVariables): readonly Message[] =>
  queried.flatMap(({ sql, result }, index): Message[] => {
    const next = index < queried.length - 1 || mayQuery ? 'Answer now, or ask for one more query.' : 'Answer now.';
    return [
      { role: 'assistant', content: `QUERY: ${sql}` },
      { role: 'user', content: `The result:\n${result}\n\n${next}` },
    ];
  });

const passagesRender = { question: asIs, passages: renderPassages, known: renderKnown, criteria: bullets };

/** Answers a question from passages. */
export const answer = definePrompt<AnswerVariables>()({
  name: 'answer',
  render: { ...passagesRender, tables: asIs, queried: () => '', mayQuery: () => '', mayNeedAll: () => '' },
  required: ['question', 'passages', 'known'],
  fields: {
    answer: field(
      'text',
      'ANSWER',
      'the answer, each statement followed by the id of its passage in square brackets',
      true,
    ),
    citations: field('citations', 'CITATIONS', 'the passages the answer rests on'),
    assumptions: field('list', 'ASSUMPTIONS', 'what the answer takes for granted without evidence'),
    ...completenessFields,
    needsAll: choice(
      ['yes', 'no'],
      'NEEDS ALL',
      'yes when the answer has to be counted or collected over all of the text, more than can be done surely by reading once, and no query computed it; then write this label alone, without an answer',
    ),
    query: field(
      'text',
      'QUERY',
      'in place of an answer and of the labels above: one SELECT (WITH and window functions are known) over the tables, where it computes what is asked',
    ),
  },
  plain: { marks: asksMarks, below: ['tells', 'missing', 'needsAll', 'query'] },
  passageIds: (variables) => [...idsOf(variables), ...variables.queried.flatMap(({ ids }) => ids)],
  leavesOut: ({ mayQuery, mayNeedAll }) => [
    ...(mayQuery ? [] : (['query'] as const)),
    ...(mayNeedAll ? [] : (['needsAll'] as const)),
  ],
  turns: queryTurns,
});

/**
 * Judges whether passages contain the answer. A reply without a verdict is read as YES, because only an explicit NO
 * denies that the passages contain the answer.
 */
export const answerable = {
  ...definePrompt<Pick<PassagesVariables, 'question' | 'passages'>>()({
    name: 'answerable',
    isQuick: true,
    render: { question: asIs, passages: renderPassages },
    required: ['question', 'passages'],
    fields: { verdict: choice(['NO', 'YES'], 'VERDICT', 'whether the passages hold the answer') },
    plain: { marks: null },
  }),
  probabilityOf: { field: 'verdict', option: 'YES' },
} as const;

/** Composes one answer from the answers to a question's parts. */
export const compose = definePrompt<{
  readonly question: string;
  readonly parts: readonly KnownAnswer[];
  readonly criteria: readonly string[];
}>()({
  name: 'compose',
  render: { question: asIs, parts: renderKnown, criteria: bullets },
  required: ['question', 'parts'],
  fields: {
    finalAnswer: field(
      'text',
      'FINAL ANSWER',
      'the answer to the whole question, keeping the marks in square brackets of the parts it uses',
      true,
    ),
    assumptions: field('list', 'ASSUMPTIONS', 'what the answer takes for granted without evidence'),
    ...completenessFields,
  },
  plain: { marks: null, below: ['tells', 'missing'] },
});

export interface ConcludeVariables extends PassagesVariables {
  /** Findings whose evidence the text contains. */
  readonly findings: readonly ExploredFinding[];
  readonly thoughts: readonly string[];
}

/** Answers a question from what the strategy explore or repl found before it ended without an answer. */
export const conclude = definePrompt<ConcludeVariables>()({
  name: 'conclude',
  render: {
    ...passagesRender,
    findings: (findings) =>
      bullets(findings.map(({ description, evidence, passage }) => `${description} "${evidence}" [${passage}]`)),
    thoughts: bullets,
  },
  required: ['question', 'passages', 'findings'],
  fields: {
    answer: answer.fields.answer,
    citations: answer.fields.citations,
    assumptions: answer.fields.assumptions,
    // The last option is the value for a reply without this field.
    tells: choice(['all', 'part', 'nothing', 'unknown'], 'TELLS', 'how much of the question the answer tells'),
    missing: field('list', 'MISSING', 'what was not found, as short questions that stand by themselves'),
  },
  passageIds: (variables) => [...idsOf(variables), ...variables.findings.flatMap(({ passage }) => passage ?? [])],
});
