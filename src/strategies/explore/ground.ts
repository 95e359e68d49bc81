import { checkCitation, type Uncounted } from '../../evidence/citations.ts';
import { markedIds } from '../../evidence/marks.ts';
import type { Fact } from '../../prompts/reply/fields.ts';
import type { Run } from '../../run/run.ts';
import type { ExploredFinding, Passage, TreeNode } from '../../state.ts';
import type { FileAccess } from '../../tools/files/walls/file-access.ts';
import { chunksOfLines, stretchesOf } from '../../tools/places.ts';
import { createAnswerTables, type Questions } from '../../tools/questions/questions.ts';
import type { Bounds, Note, ToolWorld } from '../../tools/tool.ts';
import { ToolError } from '../../tools/tool-error.ts';
import { labelItems } from '../label-items.ts';
import type { Question, Recurse } from '../strategy.ts';
import { createSubQuestions, type SubQuestions } from '../sub-questions.ts';
import { givePassages, queryWorld } from '../tool-world.ts';

/** A checked finding. The citation is null if the text does not contain the evidence. */
interface Checked {
  readonly finding: ExploredFinding;
  readonly citation: Uncounted | null;
}

/** The passages, findings and sub-queries of an exploration so far. */
export interface Ground {
  /** The passages that were shown, by id, in the order in which they were first shown. */
  readonly seen: ReadonlyMap<string, Passage>;
  /** Findings whose evidence the text contains, each once. */
  readonly found: readonly Checked[];
  /** Size of the largest text that one sub-query reads whole, in bytes of ordinary text. */
  readonly pieceBytes: number;
  /** Returns the sub-queries. Some may have no answer. */
  children(): readonly TreeNode[];
  /** Returns how many calls of the question's allotment are left. */
  callsLeft(): number;
  keep(passages: readonly Passage[]): void;
  /** Checks whether the text contains the evidence of a finding. If it does, records the finding. */
  check(fact: Fact): Checked;
  world(bounds: Bounds, onNote: (checked: Checked) => void): ToolWorld;
}

/** Share of a prompt's room for the text of a sub-query. */
const pieceShare = 0.8;

/** A finding names lines. Its quote is searched for in at most this many passages at these lines. */
const mostLooked = 50;

const itself =
  'that is the question itself, about the same text. Ask for a part of it, or about some lines; or look for yourself with grep.';

const mayExplore = ({ depth }: Question, { settings }: Run): boolean =>
  depth === 0 && settings.reasoner.childTools === 'full';

function atItsPlace({ source, startLine, endLine }: Fact, { text: { store } }: Run): Passage[] {
  try {
    const indexes = stretchesOf(store, source).flatMap((one) => chunksOfLines(store, one, startLine, endLine));
    return indexes.slice(0, mostLooked).map((index) => store.passageWithoutOverlap(store.chunk(index)));
  } catch (error) {
    if (error instanceof ToolError) return [];
    throw error;
  }
}

function* candidates(fact: Fact, seen: ReadonlyMap<string, Passage>, run: Run): Generator<Passage> {
  const id = /^\[?(P\d+)\]?$/.exec(fact.source.trim())?.[1];
  const named = id === undefined ? undefined : (seen.get(id) ?? run.passages.byId([id])[0]);
  if (named !== undefined) yield named;
  if (fact.source !== '' && fact.startLine > 0) yield* atItsPlace(fact, run);
  const shown = [...seen.values()];
  yield* shown.filter(({ source }) => source === fact.source || source.endsWith(`/${fact.source}`));
  yield* shown;
}

function checkFact(fact: Fact, seen: ReadonlyMap<string, Passage>, run: Run) {
  const { evidence: quote } = fact;
  for (const passage of quote === '' ? [] : candidates(fact, seen, run)) {
    const checked = checkCitation({ passage: passage.id, quote }, [passage], 0);
    if (!('citation' in checked)) continue;
    const { citation } = checked;
    const { source, startLine, endLine } = citation;
    const place = { source, startLine, endLine, passage: passage.id, evidence: citation.quote ?? quote };
    return { checked: { finding: { ...fact, ...place }, citation }, passage };
  }
  return { checked: { finding: { ...fact, passage: null }, citation: null }, passage: null };
}

function createQuestions(question: Question, run: Run, subQuestions: SubQuestions, ground: () => Ground) {
  const { depth, known } = question;

  const tables = createAnswerTables();
  let labelled = 0;

  /** Counts the remaining model calls once, before a step, because the step's tool calls may end in any order. */
  return (): Questions => {
    // Copied before the step, because the results of its calls must not change a sub-query's prompt.
    const inHand = [...ground().seen.values()];
    let left = subQuestions.callsLeft() - 1;
    return {
      refusal() {
        if (depth >= run.settings.budget.maxDepth) return 'sub-queries may go no deeper; look for yourself.';
        return left < 1 ? 'too few model calls are left for a sub-query; answer with what there is.' : null;
      },
      /** Asks the sub-queries. New sub-queries share half of the remaining calls. */
      async ask(queries) {
        const named = queries.map(({ question: sub, text }) => {
          const name = subQuestions.nameOf(sub, text);
          if (name === null) throw new ToolError(itself);
          const about = text === null ? { known, inHand } : { known: [], inHand: [], text };
          return { name, child: { question: sub, ...about } };
        });
        const fresh = new Set(named.map(({ name }) => name).filter((name) => !subQuestions.isKnown(name))).size;
        if (left < fresh) throw new ToolError(`only ${left} model calls are left for sub-queries; ask fewer.`);
        const allotment = Math.max(1, Math.floor(left / 2 / Math.max(1, fresh)));
        left -= allotment * fresh;
        const explores = mayExplore(question, run);
        const asking = named.map(({ name, child }) => subQuestions.ask(name, { ...child, allotment, explores }));
        const nodes = await Promise.all(asking);
        const held = nodes.flatMap(({ citations, steps }) => [...citations, ...steps.flatMap((step) => step.findings)]);
        ground().keep(run.passages.byId(held.flatMap(({ passage }) => passage ?? [])));
        return nodes;
      },
      label(request) {
        labelled += 1;
        const calls = {
          ...{ path: question.path, part: `labels-${labelled}`, left: () => left },
          take(count: number) {
            left -= count;
          },
          tooFew: (needed: number) =>
            new ToolError(
              `this takes ${needed} model calls, and ${left} are left: name fewer lines, or longer pieces.`,
            ),
        };
        return labelItems(request, calls, run);
      },
      tables,
    };
  };
}

function createFind(run: Run, path: string): ToolWorld['find'] {
  // The index of a part is made once, even if several calls name the part.
  const runs = new Map<string, Run>();
  return async (query, part, exclude) => {
    if (run.budget.fetchesLeft() === 0)
      throw new ToolError('no more passages may be searched for by words in this run; give a "pattern".');
    const key = part?.documents.map(({ name }) => name).join('\n') ?? '';
    const within = part === null ? run : (runs.get(key) ?? run.within(part));
    runs.set(key, within);
    return within.passages.findMore({ query, path, exclude });
  };
}

const factOf = ({ text, quote }: Note): Fact => ({
  ...{ description: text, evidence: quote, source: markedIds(text)[0] ?? '' },
  ...{ startLine: 0, endLine: 0, confidence: 50 },
});

/** Creates the state of an exploration. */
export function createGround(question: Question, files: FileAccess | null, run: Run, recurse: Recurse): Ground {
  const seen = new Map<string, Passage>();
  const found: Checked[] = [];
  const known = new Set<string>();
  const subQuestions = createSubQuestions(question, run, recurse);
  const questionsOf = createQuestions(question, run, subQuestions, () => ground);
  const find = createFind(run, question.path);
  const pieceBytes = Math.max(1_000, Math.floor(run.models.passageBytes() * pieceShare));

  const ground: Ground = {
    seen,
    found,
    pieceBytes,
    children: subQuestions.answered,
    callsLeft: subQuestions.callsLeft,
    keep(passages) {
      givePassages(passages, run);
      for (const passage of passages) if (!seen.has(passage.id)) seen.set(passage.id, passage);
    },
    check(fact) {
      const { checked, passage } = checkFact(fact, seen, run);
      if (passage === null) return checked;
      ground.keep([passage]);
      const key = `${passage.id} ${checked.finding.evidence}`;
      if (!known.has(key)) found.push(checked);
      known.add(key);
      return checked;
    },
    world(bounds, onNote) {
      function note(given: Note): string {
        const checked = ground.check(factOf(given));
        if (given.quote !== '' && checked.citation === null)
          throw new ToolError('these words do not stand in what was shown: copy the quote exactly, or leave it out.');
        onNote(checked);
        return checked.citation === null ? 'Noted.' : `Noted, with [${checked.citation.passage}].`;
      }
      return { files, pieceBytes, questions: questionsOf(), find, note, ...queryWorld(run, bounds) };
    },
  };
  return ground;
}
