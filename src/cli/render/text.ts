import type { Citation, Result } from '../../index.ts';
import { type Output, oneLine, printable } from '../terminal.ts';

/** `src/a.ts:10-18`, or `src/a.ts:10` for a single line. */
export function placeOf({ source, startLine, endLine }: Citation): string {
  return `${source}:${startLine}${endLine === startLine ? '' : `-${endLine}`}`;
}

const plain: Output['style'] = (_, text) => text;

/** The answer with its sources, for people and for pipes. */
export function renderText(result: Result, output: Output | null): string {
  if (result.answer === null) return '';
  const style = output?.style ?? plain;
  const sources = result.citations.map((citation) => {
    const quote = citation.quote === null ? '' : `  ${style('dim', `"${oneLine(citation.quote, 120)}"`)}`;
    return `[${citation.number}] ${style('cyan', printable(placeOf(citation)))}${quote}`;
  });
  const block = sources.length > 0 ? `\n\nSources:\n${sources.join('\n')}` : '';
  return `${printable(result.answer)}${block}\n`;
}

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;

/** A length of time as people say it. */
export function duration(ms: number): string {
  return ms < 60_000
    ? `${(ms / 1000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

function facts({ confidence, usage, provider, model }: Result): string {
  const sure = confidence === null ? 'confidence unknown' : `confidence ${confidence}/100`;
  const who = provider === null || provider === model ? (model ?? '') : `${provider} ${model}`;
  return [sure, plural(usage.calls, 'call'), duration(usage.wallTimeMs), who].filter(Boolean).join(' · ');
}

const headlines = { answered: 'answered', partial: 'partial answer', failed: 'failed', cancelled: 'stopped' } as const;

/** The last lines on stderr: what came of the run, and what to type next when it did not go well. */
export function renderSummary(result: Result, stderr: Output, quiet: boolean): string {
  const { error, status } = result;
  const color = error === null ? 'green' : status === 'failed' ? 'red' : 'yellow';
  const lines: string[] = [];
  if (error) lines.push(`${stderr.style(color, headlines[status])}: ${printable(error.message)}`);
  if (error?.hint) lines.push(`     ${printable(error.hint)}`.slice(5));
  if (!quiet && result.runId !== null) {
    lines.push(error ? facts(result) : `${stderr.style(color, headlines[status])} · ${facts(result)}`);
  }
  return lines.map((line, index) => `${index === 0 ? 'rlm: ' : '     '}${line}\n`).join('');
}
