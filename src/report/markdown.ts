/** A run as Markdown, for pull requests and notes. */
import { counted } from '../base/counted.ts';
import type { TreeNode } from '../state.ts';
import type { JunitCase } from './ci/junit.ts';
import { visible } from './html/markup.ts';
import {
  checkedClaims,
  confidenceText,
  contradictionsOf,
  figuresOf,
  placeOf,
  type ReportRun,
  statusNames,
} from './run.ts';

/** Keeps the Markdown of an answer, but escapes HTML, images, links and mentions. */
const answerText = (answer: string): string =>
  visible(answer)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/!\[/g, '!\\[')
    .replace(/\]\(/g, ']\\(')
    .replace(/@(?=\w)/g, '&#64;');

const isForm = ({ fieldCitations = null, error }: ReportRun['result']): boolean =>
  fieldCitations !== null && error?.code !== 'schema-unmet';

/** Formats JSON as a code block. Its fence is longer than any sequence of backticks in it. */
function fenced(json: string): string {
  const longest = Math.max(2, ...[...json.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}json\n${visible(json)}\n${fence}`;
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', `### ${title}`, '', ...lines];

const bulleted = (texts: readonly string[]): string[] => texts.map((text) => `- ${inline(text)}`);

function sourceLines({ result }: ReportRun): string[] {
  return result.citations.map((citation) => {
    const quote = citation.quote === null ? '' : ` — “${inline(citation.quote)}”`;
    return `${citation.number}. ${code(placeOf(citation))}${quote}`;
  });
}

const signs = { supported: '✅', partial: '🟡', unsupported: '❌', contradicted: '⛔' } as const;

function claimLines({ result }: ReportRun): string[] {
  const claims = checkedClaims(result).map(({ text, verdict, support, reason }) => {
    const sign = verdict in signs ? signs[verdict as keyof typeof signs] : '▫️';
    const figure = support === null ? '' : `${Math.round(support * 100)} %`;
    return `| ${sign} ${verdict} | ${figure} | ${inline(text)}${reason === null ? '' : ` (${inline(reason)})`} |`;
  });
  return claims.length === 0 ? [] : ['| check | support | claim |', '| --- | ---: | --- |', ...claims];
}

const nodeLines = (node: TreeNode): string[] => [
  `${'  '.repeat(node.depth)}- ${inline(node.question)} (${node.strategy}, ${node.status}, ${counted(node.calls, 'call')})`,
  ...node.children.flatMap(nodeLines),
];

/** Returns a folded section, as GitHub and GitLab show it. */
const folded = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', `<details><summary>${title}</summary>`, '', ...lines, '', '</details>'];

/** Formats a run as Markdown: the answer, its sources, claims and open points, and the folded tree. */
export function toMarkdown(run: ReportRun): string {
  const { result } = run;
  const { task, answer, status, error, critique, warnings, recursionTree } = result;
  const doubts = [...(critique?.gaps ?? []), ...(critique?.uncertainties ?? [])];
  const figures = [statusNames[status], confidenceText(result), ...figuresOf(result)];
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

function row({ name, result, failures }: JunitCase): string {
  const why = failures.map(inline).join('<br>');
  const answer = result.answer === null ? '' : inline(result.answer.slice(0, 300));
  return `| ${failures.length === 0 ? '✅' : '❌'} | ${inline(name)} | ${why || answer} | ${confidenceText(result)} |`;
}

/** Formats the results of checks as a Markdown table. */
export function checksMarkdown(cases: readonly JunitCase[]): string {
  const passed = cases.filter(({ failures }) => failures.length === 0).length;
  const head = [
    `## ${passed} of ${counted(cases.length, 'check')} passed`,
    '',
    '| | check | outcome | confidence |',
    '| --- | --- | --- | --- |',
  ];
  return [...head, ...cases.map(row), ''].join('\n');
}

/** Characters that a backslash does not escape in every Markdown renderer. */
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '@': '&#64;' };

/** Escapes text for one line of Markdown. */
export const inline = (text: string): string =>
  visible(text)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]|#~&<>@]/g, (character) => entities[character] ?? `\\${character}`);

/** Formats text as inline code. It may contain backticks. */
export const code = (text: string): string => {
  const shown = visible(text).replace(/\s+/g, ' ').trim();
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const ticks = '`'.repeat(longest + 1);
  return longest === 0 ? `${ticks}${shown}${ticks}` : `${ticks} ${shown} ${ticks}`;
};
