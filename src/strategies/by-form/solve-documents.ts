/** Answers for which documents something is true: asks it of each, and keeps those that say yes. */
import { counted } from '../../base/counted.ts';
import { createView } from '../../context/store/view.ts';
import { carryCitations } from '../../evidence/citations.ts';
import { rewriteMarks } from '../../evidence/marks.ts';
import type { Run } from '../../run/run.ts';
import type { TreeNode } from '../../state.ts';
import { draftBy } from '../draft.ts';
import type { Draft, Question, Recurse } from '../strategy.ts';
import type { DocumentChoice } from './documents.ts';

/** The documents to ask about: all where the calls do for that, else those whose passages suit the question best. */
function chosenDocuments({ passages, inHand }: Question, calls: number, { text }: Run): readonly number[] {
  const names = text.store.documents.map(({ name }) => name);
  if (names.length <= calls) return [...names.keys()];
  const ranked = (passages ?? inHand).map(({ source }) => names.indexOf(source)).filter((index) => index !== -1);
  return [...new Set(ranked)].slice(0, calls).sort((one, other) => one - other);
}

/** The chunks of each document. */
function chunksByDocument({ text: { store } }: Run): readonly (readonly number[])[] {
  const chunks: number[][] = store.documents.map(() => []);
  for (let index = 0; index < store.chunkCount; index++) chunks[store.chunk(index).document]!.push(index);
  return chunks;
}

const saysYes = ({ answer }: TreeNode): boolean => /^\W*yes\b/i.test(answer ?? '');

/** What a yes is followed by. */
function reasonOf({ answer }: TreeNode): string {
  const rest = answer!.replace(/^\W*yes\b[,.:;!\s]*/i, '').trim();
  return /\p{L}/u.test(rewriteMarks(rest, () => '')) ? rest : `yes ${rest}`.trim();
}

/** Asks the question of each document. What was not asked, for want of calls, is said. */
export async function solveDocuments(
  asked: Question,
  form: DocumentChoice,
  run: Run,
  recurse: Recurse,
): Promise<Draft> {
  const all = run.text.store.documents;
  const chosen = chosenDocuments(asked, asked.allotment, run);
  const chunks = chunksByDocument(run);
  const children = await Promise.all(
    chosen.map((document, at) =>
      recurse({
        question: form.question,
        path: `${asked.path}.${at + 1}`,
        known: asked.known,
        inHand: [],
        text: createView(run.text.store, chunks[document]!),
        allotment: 1,
        isPlain: true,
      }),
    ),
  );
  const error = children.find((child) => child.error !== null)?.error ?? null;
  if (children.every(({ answer }) => answer === null))
    return draftBy('decompose', { status: 'unanswered', children, error });
  const lines = chosen.flatMap((document, at) =>
    saysYes(children[at]!) ? [`- ${all[document]!.name}: ${reasonOf(children[at]!)}`] : [],
  );
  const left = all.length - chosen.length;
  const asksAll =
    left === 0
      ? ''
      : ` ${counted(left, form.noun)} that ${left === 1 ? 'matches' : 'match'} the question less ${left === 1 ? 'was' : 'were'} not asked, for want of calls.`;
  const head = `${lines.length === 0 ? 'None' : lines.length} of ${counted(chosen.length, form.noun)}.${asksAll}`;
  const { answer, citations } = carryCitations([head, ...lines].join('\n'), children);
  return draftBy('decompose', { answer, citations, children, error });
}
