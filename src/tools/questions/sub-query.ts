import * as z from 'zod/mini';
import { weightOf } from '../../context/text-size.ts';
import type { TreeNode } from '../../state.ts';
import { checkOne, isAll, partOf, stretchesOf, stretchOf } from '../places.ts';
import { type FittingResult, optionalText, optionalWhole, type Tool, type ToolWorld, textParameter } from '../tool.ts';
import { ToolError } from '../tool-error.ts';
import type { SubQuery } from './questions.ts';

const most = 32;

const parameters = z.object({
  queries: z
    .array(
      z.object({
        question: textParameter('stands by itself'),
        path: optionalText('one file'),
        startLine: optionalWhole(1),
        endLine: optionalWhole(1),
        every: optionalWhole(1, 'per piece of so many lines'),
      }),
    )
    .check(z.minLength(1), z.maxLength(most)),
});

type SubQueries = z.infer<typeof parameters>;
type Asked = SubQueries['queries'][number];

/** A sub-query, and the name of its part of the text. */
interface NamedQuery extends SubQuery {
  readonly about: string;
}

/** A piece leaves room for known answers. Without known answers, a part may be larger by this factor. */
const slack = 1.2;

function readInPart({ text }: SubQuery, { store, pieceBytes }: ToolWorld): string {
  const part = text ?? store;
  const weight = weightOf(part);
  if (weight <= pieceBytes * slack) return '';
  const lines = part.documents.reduce((sum, one) => sum + one.lines, 0);
  const every = Math.max(1, Math.floor((lines * pieceBytes) / weight));
  const how = part.documents.length === 1 ? `; "every": ${every} reads all of it` : '';
  return `\n(This part is too large for one call: passages that suit the question were read${how}.)`;
}

/** Returns the form of a line's beginning: its first word or sign, with 0 for each number. */
const beginningOf = (line: string): string => /^\s*(\S*)/.exec(line)![1]!.replace(/\d+/g, '0');

/**
 * Returns the index of the line that begins the next piece. Prefers a line that begins like the first line of the text,
 * such as the start of the next letter or entry; then a heading; then a line after a blank line.
 */
function nextPiece(lines: readonly string[], start: number, every: number): number {
  if (start + every >= lines.length) return lines.length;
  const first = beginningOf(lines.find((line) => line.trim() !== '') ?? '');
  const tests: readonly ((line: string, at: number) => boolean)[] = [
    (line) => line.trim() !== '' && beginningOf(line) === first,
    (line) => /^#{1,6}\s/.test(line),
    (line, at) => line.trim() !== '' && lines[at - 1]!.trim() === '',
  ];
  for (const test of tests)
    for (let at = start + every; at > start + every / 2; at--) if (test(lines[at]!, at)) return at;
  return start + every;
}

function documentOf({ path }: Asked, { store }: ToolWorld) {
  if (isAll(path) && store.documents.length !== 1)
    throw new ToolError(`"every" needs a "path": there are ${store.documents.length} documents.`);
  const found = isAll(path) ? [stretchOf(store, 0)] : stretchesOf(store, path);
  checkOne(`${path}`, found);
  const { document, source, linesBefore } = found.at(-1)!;
  const texts = found.map(({ document: part }) => store.read(part, 0, store.documents[part]!.bytes));
  const lines = texts.flatMap((bytes) => Buffer.from(bytes).toString('utf8').replace(/\n$/, '').split('\n'));
  return { source, first: found[0]!.linesBefore + 1, last: linesBefore + store.documents[document]!.lines, lines };
}

function toSubQueries(asked: Asked, world: ToolWorld): readonly NamedQuery[] {
  const { question, path, startLine, endLine, every } = asked;
  const { store } = world;
  if (every === undefined) {
    const hasLines = startLine !== undefined || endLine !== undefined;
    const about = `${path || 'all of the text'}${hasLines ? `, lines ${startLine ?? 1}-${endLine ?? 'end'}` : ''}`;
    return [{ question, about, text: partOf(store, asked) }];
  }
  const { source, first, last, lines: all } = documentOf(asked, world);
  partOf(store, { path: source, startLine, endLine }); // Throws if there are no lines to divide.
  const end = Math.min(endLine ?? last, last);
  const queries: NamedQuery[] = [];
  for (let start = Math.max(startLine ?? 1, first), next = 0; start <= end; start = next) {
    next = Math.min(end + 1, first + nextPiece(all, start - first, every));
    const lines = { startLine: start, endLine: next - 1 };
    const about = `${source}, lines ${lines.startLine}-${lines.endLine}`;
    queries.push({ question, about, text: partOf(store, { path: source, ...lines }) });
  }
  return queries;
}

const findingsOf = ({ steps }: TreeNode): string[] =>
  steps
    .flatMap(({ findings }) => findings)
    .filter(({ passage }) => passage !== null)
    .map(({ passage, description, evidence }) => `- [${passage}] ${description} "${evidence}"`);

function tell(node: TreeNode): string {
  if (node.answer === null) return `It has no answer: ${node.error?.message ?? 'nothing was found'}`;
  const cited = node.citations.map(({ passage, source, startLine, endLine, quote }) => {
    const words = quote === null ? '' : ` "${quote}"`;
    return `- [${passage}] ${source}:${startLine}-${endLine}${words}`;
  });
  const why = node.status === 'partial' && node.error ? ` (in part: ${node.error.message})` : '';
  const list = (about: string, lines: readonly string[]) => (lines.length > 0 ? [`${about}:`, ...lines] : []);
  const missing = node.missing.map((question) => `- ${question}`);
  const all = [`Answer${why}: ${node.answer}`, ...list('It rests on', cited), ...list('It found', findingsOf(node))];
  return [...all, ...list('It names as missing', missing)].join('\n');
}

/** Returns the number with which an answer begins; null if it begins with anything else, such as a date or `1,234`. */
const numberIn = ({ answer }: TreeNode): number | null => {
  const [number] = /^\s*-?\d+(?:\.\d+)?(?![\d.,:/-]*\d)/.exec(answer ?? '') ?? [];
  return number === undefined ? null : Number(number);
};

/** Lists the answers, and creates a table of them. If each answer begins with a number, also shows the sum. */
function answersOf(
  nodes: readonly TreeNode[],
  named: readonly NamedQuery[],
  told: readonly string[],
  world: ToolWorld,
): string | FittingResult {
  const rows = nodes.map(({ question, answer }, index) => ({ part: named[index]!.about, question, answer }));
  const table = world.questions!.tables.add('answers', rows);
  const all = told.map((answer, index) => `Query ${index + 1} (${named[index]!.about}): ${answer}`);
  const end = `In SQL, for query: ${table}(part, question, answer)`;
  const numbers = nodes.map(numberIn).filter((number) => number !== null);
  if (numbers.length < nodes.length) return [...all, end].join('\n');
  const sum = numbers.reduce((total, number) => total + number, 0);
  const parts = named.map(({ about, question }, index) => `${about}: ${question} ${numbers[index]}`);
  const output = [...parts, sum].join('\n');
  const computed = world.compute({ by: 'sub_query', code: 'the sum of the answers', output });
  const text = [...all, `[${computed.id}] The numbers that the answers begin with add up to ${sum}.`, end].join('\n');
  return () => ({ text, passages: [computed] });
}

export const subQuery: Tool<SubQueries> = {
  name: 'sub_query',
  about: 'Has questions answered by a model that sees only the part named; each costs calls.',
  parameters,
  example: { queries: [{ question: 'Which limits are set here, and to what?', path: 'a.log', every: 400 }] },
  needs: 'questions',
  async run({ queries }, world) {
    const refusal = world.questions!.refusal();
    if (refusal !== null) throw new ToolError(refusal);
    const named = queries.flatMap((query) => toSubQueries(query, world));
    if (named.length > most) throw new ToolError(`these are ${named.length} questions; at most ${most} at once.`);
    const nodes = await world.questions!.ask(named);
    const told = nodes.map((node, index) => `${tell(node)}${readInPart(named[index]!, world)}`);
    if (told.length === 1) return told[0]!;
    return answersOf(nodes, named, told, world);
  },
};
