import type { ContextStore } from '../context/document.ts';
import { plainWords } from '../context/words/same-question.ts';
import type { Run } from '../run/run.ts';
import type { TreeNode } from '../state.ts';
import type { Child, Question, Recurse } from './strategy.ts';

/** Which chunks a text has, or that it has all of them. */
function chunksOf(text: ContextStore | null, { text: { store } }: Run): string {
  if (text === null || text.chunkCount === store.chunkCount) return 'all';
  return Array.from({ length: text.chunkCount }, (_, index) => text.chunk(index).number).join();
}

/**
 * Names the sub-questions of a question. Those in the same words about the same text share a name; one that is asked
 * already, as the question itself is, has none (null). Without a text a sub-question is about all that the question is
 * about.
 */
function createQueryNames(asked: Question, run: Run) {
  const nameOf = (question: string, text: ContextStore | null) => `${plainWords(question)}\n${chunksOf(text, run)}`;
  const above = asked.hasOwnText ? [asked.question] : [...asked.ancestors, asked.question];
  const taken = new Set(above.map((question) => nameOf(question, null)));
  return (question: string, text: ContextStore | null): string | null => {
    const name = nameOf(question, text);
    return taken.has(name) ? null : name;
  };
}

const totalCalls = ({ calls, children }: TreeNode): number =>
  children.reduce((sum, child) => sum + totalCalls(child), calls);

/** What a question that looks around has asked below it. */
export interface SubQuestions {
  /** By which a sub-question is known; null for the question itself. Without a text it is about the question's own. */
  nameOf(question: string, text: ContextStore | null): string | null;
  /** Whether it is answered, or about to be. */
  isKnown(name: string): boolean;
  /** Asks, unless one of that name is known; one that came to nothing may be asked again. */
  ask(name: string, child: Omit<Child, 'path'>): Promise<TreeNode>;
  /** Those that were answered, in the order in which they were asked. */
  answered(): readonly TreeNode[];
  /** Model calls that are left of the question's allotment. */
  callsLeft(): number;
}

/** No sub-question yet. */
export function createSubQuestions(question: Question, run: Run, recurse: Recurse): SubQuestions {
  const { path, allotment } = question;
  const byName = new Map<string, Promise<TreeNode>>();
  const nodes: TreeNode[] = [];
  let asked = 0;

  async function askNew(name: string, child: Omit<Child, 'path'>): Promise<TreeNode> {
    const index = asked;
    asked += 1;
    const node = await recurse({ ...child, path: `${path}.${index + 1}` });
    nodes[index] = node;
    if (node.answer === null) byName.delete(name);
    return node;
  }

  return {
    nameOf: createQueryNames(question, run),
    isKnown: (name) => byName.has(name),
    ask(name, child) {
      const asking = byName.get(name) ?? askNew(name, child);
      byName.set(name, asking);
      return asking;
    },
    answered: () => nodes.filter((node) => node !== undefined),
    callsLeft() {
      const spent = run.events.usage.at(path).calls + nodes.reduce((sum, node) => sum + totalCalls(node), 0);
      return Math.max(0, allotment - spent);
    },
  };
}
