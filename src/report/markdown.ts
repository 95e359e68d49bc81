import { counted } from '../base/text.ts';
import { isForm } from '../result.ts';
import type { TreeNode } from '../state.ts';
import type { CheckedResult } from './ci/junit.ts';
import { visible } from './html/markup.ts';
import {
  confidenceText,
  contradictionsOf,
  figuresOf,
  nearestOver,
  outcomeHeading,
  placeOf,
  type ReportRun,
} from './run.ts';

const fencedCode = /^(`{3,})[^`\n]*\n(?:.*\n)*?\1`*[ \t]*$/;
const unsafe = /[&<]|!\[|\]\(|@(?=\w)/;

/** Whether all renderers agree on which words are inline code: every line has pairs of single backticks only. */
const hasPlainCode = (text: string): boolean =>
  text
    .split('\n')
    .every((line) => !line.includes('`') || (/^[^`]*(?:`[^`]+`[^`]*)*$/.test(line) && !/\\`|\|/.test(line)));

/**
 * Escapes HTML, images, inline links and mentions in an answer. Keeps fenced code and, if `hasPlainCode`, inline code.
 * If a fence is indented, in a list or made of tildes, escapes code as well: renderers differ on where such code ends.
 */
function answerText(answer: string): string {
  const text = visible(answer);
  const isSimple = !/^(?!```).*(?:```|~~~)/m.test(text);
  const isPlain = isSimple && hasPlainCode(text.replace(new RegExp(fencedCode, 'gm'), ''));
  const kept = isSimple ? [fencedCode.source, ...(isPlain ? ['`[^`\\n]+`'] : [])] : [];
  const escaped = (found: string) => entities[found] ?? `${found[0]}\\${found[1]}`;
  const form = new RegExp([...kept, unsafe.source].join('|'), 'gm');
  return text.replace(form, (found) => (found.startsWith('`') ? found : escaped(found)));
}

const longestTicks = (text: string): number => Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

function fenced(json: string): string {
  const fence = '`'.repeat(Math.max(3, longestTicks(json) + 1));
  return `${fence}json\n${visible(json)}\n${fence}`;
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', `### ${title}`, '', ...lines];

const bulleted = (texts: readonly string[]): string[] => texts.map((text) => `- ${inline(text)}`);

function sourceLines({ result }: ReportRun): string[] {
  return result.citations.map((citation) => {
    const quote = citation.quote === null ? '' : ` — “${inline(citation.quote)}”`;
    const over = nearestOver(citation);
    return `${citation.number}. ${code(placeOf(citation))}${over === '' ? '' : ` (${inline(over)})`}${quote}`;
  });
}

/**
 * Formats rows as a table. The first row is the head. Empty if there is no row below the head.
 * @param isFigure whether a column is aligned to the right.
 */
export function markdownTable(
  [head, ...rows]: readonly (readonly string[])[],
  isFigure: (column: number) => boolean = (column) => column > 0,
): string[] {
  if (head === undefined || rows.length === 0) return [];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, column) => (isFigure(column) ? '---:' : '---'));
  return [line(head.map(inline)), line(rule), ...rows.map((row) => line(row.map(inline)))];
}

const signs = { supported: '✅', partial: '🟡', unsupported: '❌', contradicted: '⛔' } as const;

function claimLines({ result }: ReportRun): string[] {
  const rows = result.claims.map(({ text, verdict, support, reason }) => {
    const sign = verdict in signs ? signs[verdict as keyof typeof signs] : '▫️';
    const figure = support === null ? '' : `${Math.round(support * 100)} %`;
    return [`${sign} ${verdict}`, figure, `${text}${reason === null ? '' : ` (${reason})`}`];
  });
  return markdownTable([['check', 'support', 'claim'], ...rows], (column) => column === 1);
}

const nodeLines = (node: TreeNode): string[] => [
  `${'  '.repeat(node.depth)}- ${inline(node.question)} (${node.strategy}, ${node.status}, ${counted(node.calls, 'call')})`,
  ...node.children.flatMap(nodeLines),
];

export const folded = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', `<details><summary>${title}</summary>`, '', ...lines, '', '</details>'];

/** Formats a run as Markdown. */
export function toMarkdown(run: ReportRun): string {
  const { result } = run;
  const { task, answer, error, critique, warnings, recursionTree } = result;
  const doubts = [...(critique?.gaps ?? []), ...(critique?.uncertainties ?? [])];
  const figures = [outcomeHeading(result), confidenceText(result), ...figuresOf(result)];
  return [
    `## ${inline(task)}`,
    '',
    `**${figures.map(inline).join(' · ')}**`,
    ...(error ? ['', `> ${inline(error.message)}${error.hint ? ` ${inline(error.hint)}` : ''}`] : []),
    '',
    answer === null ? '_There is no answer._' : isForm(result) ? fenced(answer) : answerText(answer),
    ...section('Sources', sourceLines(run)),
    ...section('Claims', claimLines(run)),
    ...section('Contradictions', bulleted(contradictionsOf(result))),
    ...section('Open', bulleted(doubts)),
    ...section('Warnings', bulleted(warnings)),
    ...folded('How it was answered', recursionTree === null ? [] : nodeLines(recursionTree)),
    '',
  ].join('\n');
}

export function checksMarkdown(checks: readonly CheckedResult[]): string {
  const passed = checks.filter(({ failures }) => failures.length === 0).length;
  const rows = checks.map(({ name, result, failures }) => {
    const outcome = failures.length > 0 ? failures.join('; ') : (result.answer ?? '').slice(0, 300);
    return [failures.length === 0 ? '✅' : '❌', name, outcome, confidenceText(result)];
  });
  const table = markdownTable([['', 'check', 'outcome', 'confidence'], ...rows], () => false);
  return [`## ${passed} of ${counted(checks.length, 'check')} passed`, '', ...table, ''].join('\n');
}

/** Entities for characters that a backslash escapes only in some Markdown renderers. */
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '@': '&#64;' };

export const inline = (text: string): string =>
  visible(text)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]|#~&<>@]/g, (character) => entities[character] ?? `\\${character}`);

const code = (text: string): string => {
  const shown = visible(text).replace(/\s+/g, ' ').trim();
  const longest = longestTicks(shown);
  const ticks = '`'.repeat(longest + 1);
  return longest === 0 ? `${ticks}${shown}${ticks}` : `${ticks} ${shown} ${ticks}`;
};
