import type { ContextStore } from '../context/document.ts';
import { plainWords } from '../context/words/same-question.ts';
import type { Run } from '../run/run.ts';
import type { TreeNode } from '../state.ts';
import type { Child, Question, Recurse } from './strategy.ts';

/** Returns a key for the passages of a text; `all` for the whole text. */
function keyOf(text: ContextStore | null, { text: { store } }: Run): string {
  if (text === null || (text.chunkCount === store.chunkCount && text.totalBytes === store.totalBytes)) return 'all';
  return Array.from({ length: text.chunkCount }, (_, index) => text.passageWithoutOverlap(text.chunk(index)).id).join();
}

const totalCalls = ({ calls, children }: TreeNode): number =>
  children.reduce((sum, child) => sum + totalCalls(child), calls);

export type SubQuestions = ReturnType<typeof createSubQuestions>;

/** Creates an empty set of sub-questions. */
export function createSubQuestions(question: Question, run: Run, recurse: Recurse) {
  const { path, allotment } = question;
  const byName = new Map<string, Promise<TreeNode>>();
  const nodes: TreeNode[] = [];
  let asked = 0;
  /** Returns a name that is the same for equal questions about the same text. */
  const nameOf = (name: string, text: ContextStore | null) => `${plainWords(name)}\n${keyOf(text, run)}`;
  // A question that continues an earlier step is about the text of the questions above it.
  const isApart = question.hasOwnText && question.earlierStep === null;
  const above = isApart ? [question.question] : [...question.ancestors, question.question];
  const taken = new Set(above.map((one) => nameOf(one, null)));

  async function askNew(name: string, child: Omit<Child, 'path'>): Promise<TreeNode> {
    const index = asked;
    asked += 1;
    const node = await recurse({ isQuery: true, ...child, path: `${path}.${index + 1}` });
    nodes[index] = node;
    if (node.answer === null) byName.delete(name);
    return node;
  }

  return {
    /** Returns a sub-question's name; null if it repeats a question above. `text`: null for the question's own text. */
    nameOf(sub: string, text: ContextStore | null): string | null {
      const name = nameOf(sub, text);
      return taken.has(name) ? null : name;
    },
    /** Whether the sub-question with a name is answered or in progress. */
    isKnown: (name: string): boolean => byName.has(name),
    /** Asks a sub-question, or returns the result of a known one. A sub-question that failed may be asked again. */
    ask(name: string, child: Omit<Child, 'path'>): Promise<TreeNode> {
      const asking = byName.get(name) ?? askNew(name, child);
      byName.set(name, asking);
      return asking;
    },
    /** Returns the finished sub-questions, in the order in which they were asked. Some may have no answer. */
    answered: (): readonly TreeNode[] => nodes.filter((node) => node !== undefined),
    /** Returns how many model calls of the question's allotment are left. */
    callsLeft(): number {
      const spent = run.events.usage.at(path).calls + nodes.reduce((sum, node) => sum + totalCalls(node), 0);
      return Math.max(0, allotment - spent);
    },
  };
}
