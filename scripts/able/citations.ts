/** Checks whether citations lead to their words, and makes sheets for a reader who judges their content. */
import { existsSync, readFileSync } from 'node:fs';
import { splitSentences } from '../../src/context/sentences/split.ts';
import type { SampleOutcome } from '../../src/eval/run/evaluation-journal.ts';
import { createRandom } from '../random.ts';
import type { Texts } from './question.ts';

type Cited = NonNullable<SampleOutcome['citations']>[number];

/** A citation to be judged: does the cited text hold what the statement says? */
export interface CitedStatement {
  /** Window, arm, question and number of the citation. */
  readonly id: string;
  readonly statement: string;
  readonly source: string;
  readonly lines: string;
  /** The headings of the lines, as in the result. */
  readonly under: readonly string[];
  /** The cited words, if they are a part of the lines. */
  readonly quote: string | null;
  /** The whole lines. */
  readonly text: string;
}

const isComputed = ({ source }: Cited): boolean => source.startsWith('computed:');

const linesOf = ({ source, startLine, endLine }: Cited, texts: Texts): string | null =>
  texts
    .get(source)
    ?.split('\n')
    .slice(startLine - 1, endLine)
    .join('\n') ?? null;

const evenly = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Whether the cited lines exist and hold the quoted words. */
function leads(cited: Cited, texts: Texts): boolean {
  const text = linesOf(cited, texts);
  return text !== null && evenly(text).includes(evenly(cited.quote ?? ''));
}

/** Counts the citations of answers: of the text (and how many lead to their words), and of computed values. */
export function countCitations(outcomes: readonly SampleOutcome[], texts: Texts) {
  const all = outcomes.flatMap(({ citations = [] }) => citations);
  const ofText = all.filter((one) => !isComputed(one));
  const leading = ofText.filter((one) => leads(one, texts)).length;
  return { ofText: ofText.length, leading, computed: all.length - ofText.length };
}

/** The sentences of an answer that carry a mark such as [2]. */
function statementOf(answer: string, number: number): string {
  const sentences = answer
    .split('\n')
    .flatMap((line) => splitSentences(line).map(({ start, end }) => line.slice(start, end)));
  const marked = sentences.findIndex((sentence) => sentence.includes(`[${number}]`));
  if (marked < 0) return answer;
  // A mark after the full stop belongs to the sentence before it.
  const own = sentences[marked]!;
  return evenly(/^\s*\[/.test(own) && marked > 0 ? sentences[marked - 1]! + own : own);
}

/** Draws citations of an arm for a reader to judge. The same input gives the same draw. */
export function drawStatements(outcomes: readonly SampleOutcome[], window: number, texts: Texts): CitedStatement[] {
  return outcomes.flatMap(({ arm, sample, answer, citations = [] }) =>
    citations
      .filter((one) => !isComputed(one))
      .map((one) => ({
        id: `${window} ${arm} ${sample} ${one.number}`,
        statement: statementOf(answer ?? '', one.number),
        source: one.source,
        lines: `${one.startLine}-${one.endLine}`,
        under: one.under ?? [],
        quote: one.quote,
        text: linesOf(one, texts) ?? '',
      })),
  );
}

/** Draws this many statements. The same input gives the same draw. */
export function drawn(statements: readonly CitedStatement[], count: number): readonly CitedStatement[] {
  const random = createRandom(31);
  return statements
    .map((statement) => ({ statement, key: random() }))
    .sort((a, b) => a.key - b.key)
    .slice(0, count)
    .map(({ statement }) => statement);
}

/** Reads a judged sheet: lines with `holds: true` or `false`. Null without a sheet. */
export function readJudged(path: string): { readonly n: number; readonly holding: number } | null {
  if (!existsSync(path)) return null;
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const judged = lines
    .map((line) => JSON.parse(line) as { readonly holds?: boolean })
    .filter(({ holds }) => holds !== undefined);
  return { n: judged.length, holding: judged.filter(({ holds }) => holds).length };
}
