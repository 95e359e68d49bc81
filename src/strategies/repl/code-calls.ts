import type { ContextStore } from '../../context/document.ts';
import { createOwnText, createView } from '../../context/view.ts';
import { plainWords } from '../../context/words/same-question.ts';
import { RlmError } from '../../errors.ts';
import type { Run } from '../../run/run.ts';
import type { CodeCall } from '../../sandbox/sandbox.ts';
import type { TextRange } from '../../sandbox/text-source.ts';
import type { TreeNode } from '../../state.ts';
import { createQueryNames } from '../query-names.ts';
import type { Question, Recurse } from '../strategy.ts';
import type { Evidence } from './evidence.ts';
import { findWords } from './find-words.ts';

/** What the calls of the code came to. */
export interface CodeCalls {
  answer(call: CodeCall): Promise<string>;
  /** Called when a turn begins. */
  begin(): void;
  /** Sub-questions that were answered, in the order in which they were asked. */
  children(): readonly TreeNode[];
  /** Model calls that are left of the question's allotment. */
  callsLeft(): number;
  /** What keeps the run from going on, as a call has met it; null: nothing. */
  stopped(): RlmError | null;
  close(): void;
}

const totalCalls = ({ calls, children }: TreeNode): number =>
  children.reduce((sum, child) => sum + totalCalls(child), calls);

const itself = 'that is the question itself, about the same text: ask for a part of it, or about a part of the text';
const bareQuestion =
  'that is the question itself, and llm_query sees nothing but its prompt: add the piece of text that it is about';

const usedUp = 'the budget of model calls is used up: answer with what you have';

/** Text that is looked for in the whole, to know where it comes from, has at least so many characters. */
const shortestOrigin = 40;
const longestOrigin = 4_000_000;

const hasText = (store: ContextStore, { document, startByte, endByte }: TextRange, text: string): boolean =>
  endByte - startByte === Buffer.byteLength(text) &&
  Buffer.from(store.read(document, startByte, endByte)).toString() === text;

/** Answers what the code asks, within the question's allotment. */
export function createCodeCalls(question: Question, evidence: Evidence, run: Run, recurse: Recurse): CodeCalls {
  const { path, depth } = question;
  const { settings } = run;
  const { store } = run.text;
  const answered: TreeNode[] = [];
  const ownTexts: { close(): void }[] = [];
  const nameOf = createQueryNames(question, run);
  /** Sub-questions by name: what was answered is not asked again. */
  const byName = new Map<string, Promise<TreeNode>>();
  let asked = 0;
  let left = 0;
  let stopped: RlmError | null = null;

  /** The root has all that the run has left: an allotment counts each call at its worst, and would end it too early. */
  const callsLeft = () => {
    if (depth === 0) return run.budget.callsLeft('ordinary');
    const spent = run.events.usage.at(path).calls + answered.reduce((sum, node) => sum + totalCalls(node), 0);
    return Math.max(0, question.allotment - spent);
  };

  /** Counted at the beginning of a turn, so that it does not hang on which call is quicker. */
  function take(calls: number): void {
    if (left < calls) throw new Error(usedUp);
    left -= calls;
  }

  /** What the code is told; a limit also ends the work after this turn. */
  function told(error: unknown): Error {
    if (!(error instanceof RlmError)) throw error;
    if (run.budget.stopped() !== null) stopped = run.budget.stopped();
    return new Error(error.code.startsWith('limit-') ? `the budget is used up: ${error.message}` : error.message);
  }

  async function query({ args, ranges, turn, number }: CodeCall): Promise<string> {
    const [text] = args as [string];
    if (plainWords(text) === plainWords(question.question)) throw new Error(bareQuestion);
    take(1);
    for (const range of ranges.filter((one) => isShown(one, text))) evidence.note(range);
    const place = { path, share: 'ordinary', part: `turn-${turn}.${number}` } as const;
    const { reply } = await run.ask('query', { text }, place).catch((error: unknown) => {
      throw told(error);
    });
    return reply;
  }

  /** The code names places; only those whose text the prompt holds count. */
  function isShown({ document, startByte, endByte }: TextRange, text: string): boolean {
    return text.includes(Buffer.from(store.read(document, startByte, endByte)).toString());
  }

  function viewOf(ranges: readonly TextRange[]): ContextStore {
    const ids = ranges.flatMap((range) => evidence.note(range));
    return createView(
      store,
      ids.map((id) => store.indexOf(id)),
    );
  }

  /** The part of the text that is meant: named by its place, found by its words, or a text of its own. */
  function textFor({ args, ranges, turn, number }: CodeCall): ContextStore {
    const [, text = ''] = args;
    if (text === '') return viewOf(ranges);
    const exact = ranges.find((range) => hasText(store, range, text));
    if (exact !== undefined) return viewOf([exact]);
    const isSought = text.length >= shortestOrigin && text.length <= longestOrigin;
    const [found] = isSought ? findWords(store, [text], 1)[0]! : [];
    if (found !== undefined) return viewOf([found]);
    const own = createOwnText(`text of turn ${turn}.${number}`, text, {});
    ownTexts.push(own);
    return own;
  }

  async function recurseInto(sub: string, text: ContextStore, name: string): Promise<TreeNode> {
    const allotment = Math.max(1, Math.floor(left / 2));
    take(allotment);
    const index = asked;
    asked += 1;
    const about = { known: [], inHand: [], text };
    const node = await recurse({ question: sub, path: `${path}.${index + 1}`, allotment, ...about });
    answered[index] = node;
    if (node.answer === null) byName.delete(name);
    return node;
  }

  async function recursive(call: CodeCall): Promise<string> {
    if (depth >= settings.budget.maxDepth) throw new Error('rlm_query may go no deeper: use llm_query');
    const [sub] = call.args as [string];
    const text = textFor(call);
    const name = nameOf(sub, text);
    if (name === null) throw new Error(itself);
    const asking = byName.get(name) ?? recurseInto(sub, text, name);
    byName.set(name, asking);
    const node = await asking;
    if (run.budget.stopped() !== null) stopped = run.budget.stopped();
    if (node.answer === null) throw new Error(node.error?.message ?? 'there is no answer');
    return node.answer;
  }

  const answers: Readonly<Record<string, (call: CodeCall) => Promise<string>>> = {
    llm_query: query,
    rlm_query: recursive,
    cite: async ({ ranges }) => ranges.map((range) => evidence.cite(range)).join(''),
  };

  return {
    begin() {
      // One is for the answer.
      left = callsLeft() - 1;
    },
    async answer(call) {
      if (!Object.hasOwn(answers, call.name)) throw new Error('there is no such function');
      return answers[call.name]!(call);
    },
    children: () => answered.filter((node) => node !== undefined),
    callsLeft,
    stopped: () => stopped,
    close: () => {
      for (const text of ownTexts) text.close();
    },
  };
}
