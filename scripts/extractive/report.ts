/** Renders the tables of the extraction bench. */
import { type Half, type Label, lineTypes, types } from './labels.ts';
import type { Score } from './score.ts';

export interface Outcome {
  readonly label: Label;
  readonly answer: string;
  readonly ours: Score;
  readonly plain: Score;
  /** The number of words of the answers. */
  readonly words: { readonly ours: number; readonly plain: number };
}

/** Returns Wilson's 95 % interval of a share, in per cent. */
export function wilson(hits: number, n: number): readonly [number, number] {
  const z = 1.96;
  const p = hits / n;
  const middle = p + (z * z) / (2 * n);
  const margin = z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n));
  const scale = 100 / (1 + (z * z) / n);
  return [Math.max(0, middle - margin) * scale, (middle + margin) * scale];
}

function cell(scores: readonly Score[], key: keyof Score): string {
  const hits = scores.filter((score) => score[key]).length;
  const [low, high] = wilson(hits, scores.length);
  const share = ((100 * hits) / scores.length).toFixed(0).padStart(3);
  return `${share} % (${low.toFixed(0)}–${high.toFixed(0)})`.padEnd(15);
}

function row(name: string, outcomes: readonly Outcome[], note = ''): string {
  const ours = outcomes.map((outcome) => outcome.ours);
  const plain = outcomes.map((outcome) => outcome.plain);
  const cells = [cell(ours, 'isIn'), cell(ours, 'isFirst'), cell(plain, 'isIn'), cell(plain, 'isFirst')];
  return `${name.padEnd(14)} ${String(outcomes.length).padStart(4)}   ${cells.join('   ')}   ${note}`.trimEnd();
}

const head = `${''.padEnd(14)}    n   ${['in the answer', 'first', 'simple: in', 'simple: first'].map((title) => title.padEnd(15)).join('   ')}`;

const mean = (values: readonly number[]): string =>
  (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(0);

/** Renders the tables of one half: all quoted lines, then each type and each kind of text. */
export function reportOf(half: Half, all: readonly Outcome[]): string[] {
  const outcomes = all.filter(({ label }) => label.half === half);
  const quoted = outcomes.filter(({ label }) => (lineTypes as readonly string[]).includes(label.type));
  const rows = types.map((type) => {
    const note = type === 'count' ? 'goal: first 100 %' : '';
    return [type, outcomes.filter(({ label }) => label.type === type), note] as const;
  });
  const kinds = [...new Set(outcomes.map(({ label }) => label.kind))].sort();
  return [
    `${half}: ${outcomes.length} questions; right line, number or time in the answer, and first; 95 % intervals`,
    head,
    row('quoted lines', quoted, 'goal: 90 % in, 75 % first'),
    ...rows.filter(([, found]) => found.length > 0).map(([type, found, note]) => row(`  ${type}`, found, note)),
    'by kind of text',
    ...kinds.map((kind) =>
      row(
        `  ${kind}`,
        outcomes.filter(({ label }) => label.kind === kind),
      ),
    ),
    row('all', outcomes),
    `words per answer: ${mean(outcomes.map(({ words }) => words.ours))}, simple ${mean(outcomes.map(({ words }) => words.plain))}`,
  ];
}

const indented = (text: string): string => text.replace(/^/gm, '      ');

/**
 * Lists the questions of the dev half whose right line is not in the answer, or not first, with the expected and the
 * actual answer.
 */
export function failuresOf(outcomes: readonly Outcome[]): string[] {
  return outcomes
    .filter(({ label, ours }) => label.half === 'dev' && !ours.isFirst)
    .flatMap(({ label, answer, ours }) => {
      const { id, type, kind, ask, all, any, number, value, seconds } = label;
      const wanted = [...all, ...any, ...[number, value, seconds].filter((target) => target !== undefined)];
      return [
        `${id} (${type}, ${kind}): ${ours.isIn ? 'not first' : 'MISSING'}: ${ask}`,
        `   wanted: ${wanted.length === 0 ? 'nothing, as the text does not say' : wanted.join(' | ')}`,
        `   answer:\n${indented(answer)}`,
      ];
    });
}
