import { plainWords } from '../../context/words/same-question.ts';
import { isForgivable, RlmError } from '../../errors.ts';
import type { Run } from '../../run/run.ts';
import type { Passage, TreeNode } from '../../state.ts';
import type { ContextParts } from '../../tools/contexts/named-contexts.ts';
import type { FileAccess } from '../../tools/files/walls/file-access.ts';
import type { Questions, SubQuery } from '../../tools/questions/questions.ts';
import type { Bounds, ToolWorld } from '../../tools/tool.ts';
import { ToolError } from '../../tools/tool-error.ts';
import type { CallPlace } from '../../tools/toolbox.ts';
import type { Question, Recurse } from '../strategy.ts';
import { createSubQuestions, type SubQuestions } from '../sub-questions.ts';
import { createToolWorld } from '../tool-world.ts';

/** What an exploration works on, and what it has seen and asked so far. */
export interface Ground {
  /** Passages that were shown, by id, in the order in which they were first shown. */
  readonly seen: ReadonlyMap<string, Passage>;
  /** Returns the answered sub-queries, in the order in which they were asked. */
  children(): readonly TreeNode[];
  /** Returns the model calls that are left of the question's allotment. */
  callsLeft(): number;
  /** Records passages that can be cited from then on. */
  note(ids: readonly string[]): void;
  /** Creates what the calls of one step work on. */
  worldsOf(bounds: Bounds): (place: CallPlace) => ToolWorld;
}

/**
 * Share of a prompt's room for one chunk, so that a sub-query about it has room for its question and known answers
 * too.
 */
const chunkShare = 0.8;

const itself =
  'that is the question itself, about the same text. Ask for a part of it, or about a context, a chunk or some lines; or look for yourself with retrieve.';
const bareQuestion =
  'that is the question itself, and llm_query sees nothing but its own text: name a context whose text is added, or use retrieve.';

function refuse(why: string): never {
  throw new ToolError(why);
}

/**
 * Creates the record of shown passages. Passages that a step's tools read from files are added in the order of their
 * calls.
 */
function createSeen() {
  const seen = new Map<string, Passage>();
  const fresh: { readonly call: number; readonly passage: Passage }[] = [];
  function keep(passages: readonly Passage[]): readonly Passage[] {
    for (const passage of passages) if (!seen.has(passage.id)) seen.set(passage.id, passage);
    return passages;
  }
  return {
    keep,
    read: (passage: Passage, call: number) => void fresh.push({ call, passage }),
    all(): ReadonlyMap<string, Passage> {
      const inOrder = fresh.splice(0).sort((a, b) => a.call - b.call);
      keep(inOrder.map(({ passage }) => passage));
      return seen;
    },
  };
}

/** Creates the search for passages of the text, or of a part of it, for a tool. */
function createRetrieve(run: Run, path: string, { keep }: ReturnType<typeof createSeen>): ContextParts['retrieve'] {
  const runs = new Map<unknown, Run>();
  return async (part, query, characters) => {
    if (run.budget.fetchesLeft() === 0)
      throw new ToolError('no more passages may be retrieved in this run; use search_context.');
    const within = part === null ? run : (runs.get(part) ?? run.within(part));
    if (part !== null) runs.set(part, within);
    const takenBytes = Math.max(0, within.models.passageBytes() - characters);
    return keep(await within.passages.findMore({ query, path, takenBytes }));
  };
}

/** Whether a sub-query may explore too: only those of the root may. */
const mayExplore = ({ depth }: Question, { settings }: Run): boolean =>
  depth === 0 && settings.reasoner.childTools === 'full';

/** Creates the function with which a step's tools ask sub-queries, within the question's allotment. */
function createQuestions(
  question: Question,
  run: Run,
  subQuestions: SubQuestions,
  seen: ReturnType<typeof createSeen>,
): () => (place: CallPlace) => Questions {
  const { path, depth, known } = question;

  /** Begins a step. The remaining calls are counted now, so that they do not depend on which call is faster. */
  return () => {
    // Results of the step's other calls must not change a sub-query's prompt.
    const inHand = [...seen.all().values()];
    let left = subQuestions.callsLeft() - 1;

    function refusal(): string | null {
      if (depth >= run.settings.budget.maxDepth) return 'sub-queries may go no deeper; look for yourself.';
      return left < 1 ? 'too few model calls are left for a sub-query; answer with what there is.' : null;
    }

    /** Asks sub-queries; half of the remaining calls are divided equally among them. */
    async function ask(queries: readonly SubQuery[]): Promise<readonly TreeNode[]> {
      const named = queries.map(({ question: sub, text }) => {
        const about = text === null ? { known, inHand } : { known: [], inHand: [], text };
        return { name: subQuestions.nameOf(sub, text) ?? refuse(itself), child: { question: sub, ...about } };
      });
      const fresh = new Set(named.map(({ name }) => name).filter((name) => !subQuestions.isKnown(name))).size;
      if (left < fresh) throw new ToolError(`only ${left} model calls are left for sub-queries; ask fewer.`);
      const allotment = Math.max(1, Math.floor(left / 2 / Math.max(1, fresh)));
      left -= allotment * fresh;
      const explores = mayExplore(question, run);
      const asking = named.map(({ name, child }) => subQuestions.ask(name, { ...child, allotment, explores }));
      const nodes = await Promise.all(asking);
      seen.keep(run.passages.byId(nodes.flatMap(({ citations }) => citations.map(({ passage }) => passage))));
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

    const roomBytes = () => run.models.roomFor('query', path);
    return (place) => ({ refusal, ask, roomBytes: roomBytes(), query: (text) => query(text, place) });
  };
}

/** Creates what an exploration works on. */
export function createGround(question: Question, files: FileAccess | null, run: Run, recurse: Recurse): Ground {
  const seen = createSeen();
  const subQuestions = createSubQuestions(question, run, recurse);
  const questionsOf = createQuestions(question, run, subQuestions, seen);
  const { show, worldFor } = createToolWorld(run, {
    files,
    chunkBytes: Math.max(1_000, Math.floor(run.models.passageBytes() * chunkShare)),
    retrieve: createRetrieve(run, question.path, seen),
    onShown: seen.keep,
  });
  return {
    get seen() {
      return seen.all();
    },
    children: subQuestions.answered,
    callsLeft: subQuestions.callsLeft,
    note: (ids) => void show(ids.map((id) => run.text.store.indexOf(id)).filter((index) => index >= 0)),
    worldsOf(bounds) {
      const questionsAt = questionsOf();
      return (place) => worldFor(bounds, questionsAt(place), (passage) => seen.read(passage, place.call));
    },
  };
}

/** Creates the error for a question that has used its calls. */
export const outOfCalls = (): RlmError =>
  new RlmError('limit-calls', 'the model calls for exploring are used up; what is left is for the answer', {
    hint: 'Allow more with --max-calls (setting budget.maxCalls).',
  });
