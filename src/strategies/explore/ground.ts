import { plainWords } from '../../context/words/same-question.ts';
import { isForgivable, RlmError } from '../../errors.ts';
import type { Run } from '../../run/run.ts';
import type { Passage, TreeNode } from '../../state.ts';
import type { Contexts } from '../../tools/contexts/contexts.ts';
import { createContexts } from '../../tools/contexts/named-contexts.ts';
import { type FileLines, filePassage } from '../../tools/files/file-passage.ts';
import type { FileAccess } from '../../tools/files/walls/file-access.ts';
import type { Questions, SubQuery } from '../../tools/questions/questions.ts';
import type { Bounds, ToolWorld } from '../../tools/tool.ts';
import { ToolError } from '../../tools/tool-error.ts';
import type { CallPlace } from '../../tools/toolbox.ts';
import { createQueryNames } from '../query-names.ts';
import type { Question, Recurse } from '../strategy.ts';

/** What an exploration works on, and what it has seen and asked by now. */
export interface Ground {
  /** Passages that were shown, by id, in the order in which they were first shown. */
  readonly seen: ReadonlyMap<string, Passage>;
  /** Sub-queries that were answered, in the order in which they were asked. */
  children(): readonly TreeNode[];
  /** Model calls that are left of the question's allotment. */
  callsLeft(): number;
  /** Passages that the text was found to hold; they can be cited from then on. */
  note(ids: readonly string[]): void;
  /** What the calls of one step work on. */
  worldsOf(bounds: Bounds): (place: CallPlace) => ToolWorld;
}

const totalCalls = ({ calls, children }: TreeNode): number =>
  children.reduce((sum, child) => sum + totalCalls(child), calls);

/** So that a sub-query about one chunk of the text has it whole: its own question and what is known take room, too. */
const chunkShare = 0.8;

const itself =
  'that is the question itself, about the same text. Ask for a part of it, or about a context, a chunk or some lines; or look for yourself with retrieve.';
const bareQuestion =
  'that is the question itself, and llm_query sees nothing but its own text: name a context whose text is added, or use retrieve.';

function refuse(why: string): never {
  throw new ToolError(why);
}

function createShown(run: Run) {
  const seen = new Map<string, Passage>();
  function keep(passages: readonly Passage[]): readonly Passage[] {
    for (const passage of passages) if (!seen.has(passage.id)) seen.set(passage.id, passage);
    return passages;
  }
  const show = (indexes: readonly number[]) => keep(run.passages.at(indexes));
  return { seen, keep, show };
}

/** What the tools of a step read of files. It is seen in the order of the calls, whichever of them is quicker. */
function createReading({ seen, keep }: ReturnType<typeof createShown>, run: Run) {
  const fresh: { readonly call: number; readonly passage: Passage }[] = [];
  return {
    cite(lines: FileLines, call: number): string {
      const passage = filePassage(lines);
      run.passages.give([passage]);
      fresh.push({ call, passage });
      return passage.id;
    },
    seen(): ReadonlyMap<string, Passage> {
      const inOrder = fresh.splice(0).sort((a, b) => a.call - b.call);
      keep(inOrder.map(({ passage }) => passage));
      return seen;
    },
  };
}

function createText(run: Run, path: string, { keep, show }: ReturnType<typeof createShown>): Contexts {
  const runs = new Map<unknown, Run>();
  return createContexts({
    store: run.text.store,
    chunkBytes: Math.max(1_000, Math.floor(run.models.passageBytes() * chunkShare)),
    show,
    async retrieve(part, query, characters) {
      if (run.budget.fetchesLeft() === 0)
        throw new ToolError('no more passages may be retrieved in this run; use search_context.');
      const within = part === null ? run : (runs.get(part) ?? run.within(part));
      if (part !== null) runs.set(part, within);
      const takenBytes = Math.max(0, within.models.passageBytes() - characters);
      return keep(await within.passages.findMore({ query, path, takenBytes }));
    },
  });
}

/** Whether a sub-query may explore, too: only those of the root may. */
const mayExplore = ({ depth }: Question, { settings }: Run): boolean =>
  depth === 0 && settings.reasoner.childTools === 'full';

/** Lays out what an exploration works on. */
export function createGround(question: Question, files: FileAccess | null, run: Run, recurse: Recurse): Ground {
  const { path, depth, known } = question;
  const shown = createShown(run);
  const contexts = createText(run, path, shown);
  const read = createReading(shown, run);
  const answered: TreeNode[] = [];
  const nameOf = createQueryNames(question, run);
  const byName = new Map<string, Promise<TreeNode>>();
  let asked = 0;

  const callsLeft = () => {
    const spent = run.events.usage.at(path).calls + answered.reduce((sum, node) => sum + totalCalls(node), 0);
    return Math.max(0, question.allotment - spent);
  };

  /** Asks for one step. What is left is counted at its beginning, so that it does not hang on which call is quicker. */
  function questionsOf(): (place: CallPlace) => Questions {
    // What other calls of the step bring meanwhile must not change what a sub-query is asked.
    const inHand = [...read.seen().values()];
    let left = callsLeft() - 1;

    function refusal(): string | null {
      if (depth >= run.settings.budget.maxDepth) return 'sub-queries may go no deeper; look for yourself.';
      return left < 1 ? 'too few model calls are left for a sub-query; answer with what there is.' : null;
    }

    async function askOne({ question: sub, text }: SubQuery, name: string, allotment: number): Promise<TreeNode> {
      const index = asked;
      asked += 1;
      const about = text === null ? { known, inHand } : { known: [], inHand: [], text };
      const child = { question: sub, path: `${path}.${index + 1}`, allotment, explores: mayExplore(question, run) };
      const node = await recurse({ ...child, ...about });
      answered[index] = node;
      if (node.answer === null) byName.delete(name);
      return node;
    }

    /**
     * Half of what is left goes to the sub-queries of a call, in equal parts. One that was answered is not asked
     * again.
     */
    async function ask(queries: readonly SubQuery[]): Promise<readonly TreeNode[]> {
      const named = queries.map((query) => ({ query, name: nameOf(query.question, query.text) ?? refuse(itself) }));
      const fresh = new Set(named.map(({ name }) => name).filter((name) => !byName.has(name))).size;
      if (left < fresh) throw new ToolError(`only ${left} model calls are left for sub-queries; ask fewer.`);
      const allotment = Math.max(1, Math.floor(left / 2 / Math.max(1, fresh)));
      left -= allotment * fresh;
      const children = named.map(({ query, name }) => {
        const child = byName.get(name) ?? askOne(query, name, allotment);
        byName.set(name, child);
        return child;
      });
      const nodes = await Promise.all(children);
      shown.keep(run.passages.byId(nodes.flatMap(({ citations }) => citations.map(({ passage }) => passage))));
      return nodes;
    }

    async function query(text: string, { step, call }: CallPlace): Promise<string> {
      if (plainWords(text) === plainWords(question.question)) refuse(bareQuestion);
      if (left < 1) throw new ToolError('too few model calls are left; answer with what there is.');
      left -= 1;
      const place = { path, share: 'ordinary', part: `step-${step}.${call}` } as const;
      const { reply } = await run.ask('query', { text }, place).catch((error: unknown) => {
        throw isForgivable(error) ? new ToolError(error.message) : error;
      });
      return reply;
    }

    return (place) => ({
      refusal,
      ask,
      roomBytes: run.models.roomFor('query', path),
      query: (text) => query(text, place),
    });
  }

  return {
    get seen() {
      return read.seen();
    },
    children: () => answered.filter((node) => node !== undefined),
    callsLeft,
    note: (ids) => void shown.show(ids.map((id) => run.text.store.indexOf(id)).filter((index) => index >= 0)),
    worldsOf(bounds) {
      const questionsAt = questionsOf();
      const base = { bounds, store: run.text.store, contexts, files, signal: run.budget.signal };
      return (place) => ({
        ...base,
        questions: questionsAt(place),
        cite: (lines) => read.cite(lines, place.call),
      });
    },
  };
}

/** The error of a question that has used its share. */
export const outOfCalls = (): RlmError =>
  new RlmError('limit-calls', 'the model calls for exploring are used up; what is left is for the answer', {
    hint: 'Allow more with --max-calls (setting budget.maxCalls).',
  });
