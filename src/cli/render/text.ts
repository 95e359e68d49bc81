import { counted, grouped } from '../../base/counted.ts';
import { duration } from '../../base/duration.ts';
import { money } from '../../base/money.ts';
import {
  type Citation,
  type Contradiction,
  confidenceName,
  type Result,
  type TreeNode,
  unknownConfidence,
} from '../../index.ts';
import { type Output, oneLine, printable } from '../terminal.ts';
import { faultLines, styleFaults } from './faults.ts';
import { callsText } from './model-calls.ts';

/** Returns the place of a citation: `src/a.ts:10-18`, or `src/a.ts:10` for a single line. */
function placeOf({ source, startLine, endLine }: Citation): string {
  return `${source}:${startLine}${endLine === startLine ? '' : `-${endLine}`}`;
}

const plain: Output['style'] = (_, text) => text;

/** Returns the lines of a contradiction: a description, and a quote of each side. */
function contradictionLine({ text, sides }: Contradiction, style: Output['style']): string {
  const quotes = sides.map(({ quote }) => `     ${style('dim', `"${oneLine(quote, 160)}"`)}`);
  return [`${style('yellow', '[!]')} the text contradicts itself: ${oneLine(text, 300)}`, ...quotes].join('\n');
}

/** Whether the answer is JSON that conforms to the requested schema. False for runs of earlier versions. */
const inForm = ({ fieldCitations = null, answer, error }: Result): boolean =>
  fieldCitations !== null && answer !== null && error?.code !== 'schema-unmet';

/** Returns a line for each citation of a result. */
export const sourceLines = ({ citations }: Result, style: Output['style']): string[] =>
  citations.map((citation) => {
    const quote = citation.quote === null ? '' : `  ${style('dim', `"${oneLine(citation.quote, 120)}"`)}`;
    return `[${citation.number}] ${style('cyan', oneLine(placeOf(citation), 4_096))}${quote}`;
  });

/** Formats the answer with its sources. Empty when there is no answer. */
export function renderText(result: Result, output: Output | null): string {
  if (result.answer === null) return '';
  // Programs read this JSON. Its sources are in the result (--json).
  if (inForm(result)) return `${result.answer}\n`;
  const style = output?.style ?? plain;
  // Runs of earlier versions have no claims and no contradictions.
  const claims = result.claims ?? [];
  const sources = sourceLines(result, style);
  const block = sources.length > 0 ? `\n\nSources:\n${sources.join('\n')}` : '';
  const faulty = faultLines(claims, style);
  const notes = [...faulty, ...(result.contradictions ?? []).map((one) => contradictionLine(one, style))];
  const below = notes.length > 0 ? `\n\n${notes.join('\n')}` : '';
  const isPartial = output?.isTerminal === true && result.status !== 'answered';
  const heading = isPartial ? `${style('yellow', 'Partial answer')}\n\n` : '';
  return `${heading}${styleFaults(result.answer, claims, style)}${block}${below}\n`;
}

/** Returns the provider with its model, or one name when both are the same. */
export function whoServes({ provider, model }: Pick<Result, 'provider' | 'model'>): string {
  return oneLine([...new Set([provider, model])].filter(Boolean).join(' '));
}

const questionsIn = ({ children }: TreeNode): number =>
  children.reduce((total, child) => total + questionsIn(child), 1);

function facts(result: Result): string {
  const { answer, confidence, usage, provider, model, recursionTree } = result;
  const why = answer === null ? '' : `, ${unknownConfidence(result)}`;
  const name = confidenceName(result);
  const sure = confidence === null ? `${name} unknown${why}` : `${name} ${confidence}/100`;
  const who = whoServes({ provider, model });
  const questions = recursionTree === null ? 0 : questionsIn(recursionTree);
  const asked = questions > 1 ? counted(questions, 'question') : '';
  const reused = usage.cacheHits > 0 ? `${usage.cacheHits} reused` : '';
  const tokens = usage.tokens.input + usage.tokens.output;
  const cached = usage.tokens.cacheRead > 0 ? ` (${grouped(usage.tokens.cacheRead)} cached)` : '';
  const read = tokens > 0 ? `${counted(tokens, 'token')}${cached}` : '';
  const paid = usage.cost !== null && usage.cost > 0 ? money(usage.cost) : '';
  const spent = [callsText(result), read, paid, reused, duration(usage.wallTimeMs)];
  return [sure, asked, ...spent, who].filter(Boolean).join(' · ');
}

/** A short text for each status. */
const headlines = { answered: 'answered', partial: 'partial answer', failed: 'failed', cancelled: 'stopped' } as const;

/** Indents the further lines of a text, so that none of them looks like a line of the program itself. */
const indented = (text: string): string => printable(text).replaceAll('\n', '\n     ');

/** Formats the last lines on stderr: the outcome of the run, and after an error the command to type next. */
export function renderSummary(result: Result, stderr: Output, quiet: boolean): string {
  const { error, status } = result;
  const color = error === null ? 'green' : status === 'failed' ? 'red' : 'yellow';
  const headline = result.answer === null && status === 'partial' ? 'no answer' : headlines[status];
  const lines: string[] = [];
  if (error) lines.push(`${stderr.style(color, headline)}: ${indented(error.message)}`);
  if (error?.hint) lines.push(indented(error.hint));
  if (result.resumable) lines.push(`To continue: rlm resume ${result.runId}`);
  // Runs of earlier versions have no missing questions.
  if (!quiet) for (const question of result.missing ?? []) lines.push(`not told: ${oneLine(question, 300)}`);
  if (!quiet && result.runId !== null) {
    lines.push(error ? facts(result) : `${stderr.style(color, headline)} · ${facts(result)}`);
  }
  return lines.map((line, index) => `${index === 0 ? 'rlm: ' : '     '}${line}\n`).join('');
}
