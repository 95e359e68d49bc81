import type { ContextStore } from '../../context/document.ts';
import { createOwnText, createView } from '../../context/store/view.ts';
import { densityOf, weigh } from '../../context/text-size.ts';
import { plainWords } from '../../context/words/same-question.ts';
import { RlmError } from '../../errors.ts';
import type { Run } from '../../run/run.ts';
import type { TextRange } from '../../sandbox/from-worker.ts';
import type { CodeCall } from '../../sandbox/sandbox.ts';
import type { Passage } from '../../state.ts';
import type { LabelRequest } from '../../tools/questions/questions.ts';
import { type LabelCalls, labelItems } from '../label-items.ts';
import type { Question, Recurse } from '../strategy.ts';
import { createSubQuestions } from '../sub-questions.ts';
import { queryWorld } from '../tool-world.ts';
import { type Evidence, findWords, textAt } from './evidence.ts';

/** Minimum and maximum length of a text whose origin is searched for, in characters. */
const shortestOrigin = 40;
const longestOrigin = 4_000_000;

function createCodeTexts(store: ContextStore, evidence: Evidence) {
  const ownTexts: { close(): void }[] = [];

  function viewOf(ranges: readonly TextRange[]): ContextStore {
    const ids = ranges.flatMap(evidence.note);
    const indexes = ids.map((id) => store.indexOf(id));
    return createView(store, indexes);
  }

  const isAt = (range: TextRange, text: string): boolean =>
    range.endByte - range.startByte === Buffer.byteLength(text) && textAt(store, range) === text;

  return {
    isShown: (range: TextRange, prompt: string): boolean => prompt.includes(textAt(store, range)),
    /**
     * Returns the text of a call: the ranges that the call names, the place where its text occurs, or its text alone.
     */
    textFor({ args, ranges, turn, id }: CodeCall): ContextStore {
      const [, text = ''] = args;
      if (text === '') return viewOf(ranges);
      const exact = ranges.find((range) => isAt(range, text));
      if (exact !== undefined) return viewOf([exact]);
      const isSought = text.length >= shortestOrigin && text.length <= longestOrigin;
      const [found] = isSought ? findWords(store, [text], 1)[0]! : [];
      if (found !== undefined) return viewOf([found]);
      const own = createOwnText(`text of turn ${turn}.${id}`, text, {});
      ownTexts.push(own);
      return own;
    },
    close(): void {
      for (const text of ownTexts) text.close();
    },
  };
}

/** Maximum length of the code that is shown as the origin of a value, in characters. */
const mostCharacters = 4_000;

const declaration =
  /\b(?:const|let|var|class|function\s*\*?)\s+(?:([\p{ID_Start}$_][\p{ID_Continue}$]*)|[{[]([^}\]=]*))/gu;

const namesIn = (code: string): string[] =>
  [...code.matchAll(declaration)].flatMap(([, name, names = '']) => name ?? names.split(/[\s,:]+/).filter(Boolean));

/** Returns the last block of code, preceded by the earlier blocks that declare names used in later blocks. */
function computingCode(blocks: readonly string[]): string {
  const shown = blocks.slice(-1);
  for (const block of blocks.slice(0, -1).reverse()) {
    const used = new Set(shown.join('\n').match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu));
    const isUsed = namesIn(block).some((name) => used.has(name));
    if (isUsed && shown.join('\n').length + block.length <= mostCharacters) shown.unshift(block);
  }
  const code = shown.join('\n');
  return code.length <= mostCharacters ? code : `${code.slice(0, mostCharacters).toWellFormed()}\n// …`;
}

export type CodeCalls = ReturnType<typeof createCodeCalls>;

const itself = 'that is the question itself, about the same text: ask for a part of it, or about a part of the text';
const bareQuestion =
  'that is the question itself, and llm_query sees nothing but its prompt: add the piece of text that it is about';

const usedUp = 'the budget of model calls is used up: answer with what you have';

/** Returns the maximum number of characters in a prompt of `llm_query`. */
export function callCharacters({ path }: Question, { models, text }: Run): number {
  const characters = models.roomFor('query', path) / densityOf(text.store);
  return Math.floor(characters / 100) * 100;
}

const failingForCode = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    if (!(error instanceof RlmError)) throw error;
    throw new Error(error.code.startsWith('limit-') ? `the budget is used up: ${error.message}` : error.message);
  });

function checkPrompt(text: string, question: Question, run: Run): void {
  if (plainWords(text) === plainWords(question.question)) throw new Error(bareQuestion);
  if (weigh(text) <= run.models.roomFor('query', question.path)) return;
  const room = `one call has room for ${callCharacters(question, run)}: take a part of the text`;
  throw new Error(`the prompt has ${text.length} characters, and ${room}`);
}

type Answers = Readonly<Record<string, (call: CodeCall) => Promise<string>>>;

const rowBounds = { lines: 10_000, characters: 1_000_000 };
/** Time limit of all queries of a turn together, in ms. */
const turnQueriesMs = 60_000;

function createEvidenceAnswers(evidence: Evidence, run: Run) {
  const blocks: string[] = [];
  const results = new Map<string, Passage>();
  const world = queryWorld(run, rowBounds);
  let msLeft = 0;

  async function runSql(sql: string | undefined): Promise<string> {
    const tool = await import('../../tools/query.ts');
    if (sql === undefined) return tool.describeRecords(run.text.store, world);
    const startedAt = performance.now();
    try {
      const { given, computed } = await tool.queryForCode(sql, world, Math.max(1, Math.ceil(msLeft)));
      results.set(sql, computed);
      return JSON.stringify(given);
    } finally {
      msLeft -= performance.now() - startedAt;
    }
  }

  const answers: Answers = {
    query: ({ args: [sql] }) => runSql(sql),
    cite: async ({ ranges }) => ranges.map((range) => evidence.cite(range)).join(''),
    async evidence({ args: [value = '', sql = ''] }) {
      const result = results.get(sql);
      return result === undefined ? evidence.compute(computingCode(blocks), value) : evidence.computed(result);
    },
  };
  return {
    begin(code: string): void {
      blocks.push(code);
      msLeft = turnQueriesMs;
    },
    answers,
  };
}

function createClassify(path: string, allotment: Pick<LabelCalls, 'left' | 'take'>, run: Run) {
  return async ({ args, turn, id }: CodeCall): Promise<string> => {
    const [question, given] = args as [string, string];
    const request: LabelRequest = { question, ...JSON.parse(given) };
    const tooFew = (needed: number) =>
      new Error(`this takes ${needed} model calls, and ${allotment.left()} are left: give fewer items`);
    const calls = { ...allotment, path, part: `turn-${turn}.${id}`, tooFew };
    return JSON.stringify(await failingForCode(labelItems(request, calls, run)));
  };
}

/** Creates the functions that the code can call, within the question's allotment. */
export function createCodeCalls(question: Question, evidence: Evidence, run: Run, recurse: Recurse) {
  const { path, depth } = question;
  const subQuestions = createSubQuestions(question, run, recurse);
  const texts = createCodeTexts(run.text.store, evidence);
  const evidenceAnswers = createEvidenceAnswers(evidence, run);
  let left = 0;

  /** Returns the calls left. The root may use all calls of the run, because its allotment assumes the worst case. */
  const callsLeft = () => (depth === 0 ? run.budget.callsLeft('ordinary') : subQuestions.callsLeft());

  /** Takes calls from the count made when the turn began, so that the order in which calls end does not matter. */
  function take(calls: number): void {
    if (left < calls) throw new Error(usedUp);
    left -= calls;
  }

  async function query({ args, ranges, turn, id }: CodeCall): Promise<string> {
    const [text] = args as [string];
    checkPrompt(text, question, run);
    take(1);
    for (const range of ranges.filter((one) => texts.isShown(one, text))) evidence.note(range);
    const place = { path, share: 'ordinary', part: `turn-${turn}.${id}` } as const;
    const { reply } = await failingForCode(run.ask('query', { text }, place));
    return reply;
  }

  async function recursive(call: CodeCall): Promise<string> {
    if (depth >= run.settings.budget.maxDepth) throw new Error('rlm_query may go no deeper: use llm_query');
    const [sub] = call.args as [string];
    const text = texts.textFor(call);
    const name = subQuestions.nameOf(sub, text);
    if (name === null) throw new Error(itself);
    const allotment = Math.max(1, Math.floor(left / 2));
    if (!subQuestions.isKnown(name)) take(allotment);
    const node = await subQuestions.ask(name, { question: sub, allotment, known: [], inHand: [], text });
    if (node.answer === null) throw new Error(node.error?.message ?? 'there is no answer');
    return node.answer;
  }

  const answers: Answers = {
    llm_query: query,
    rlm_query: recursive,
    classify: createClassify(path, { left: () => left, take }, run),
    ...evidenceAnswers.answers,
  };

  return {
    begin(code: string): void {
      evidenceAnswers.begin(code);
      // One call is reserved for the answer.
      left = callsLeft() - 1;
    },
    async answer(call: CodeCall): Promise<string> {
      if (!Object.hasOwn(answers, call.name)) throw new Error('there is no such function');
      return answers[call.name]!(call);
    },
    children: subQuestions.answered,
    callsLeft,
    close: texts.close,
  };
}
