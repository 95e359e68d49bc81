/** A run as Markdown, for pull requests and notes. */
import { counted } from '../base/counted.ts';
import type { TreeNode } from '../state.ts';
import { checkedClaims, contradictionsOf } from './claims.ts';
import { confidenceText, figuresOf, placeOf, statusNames } from './figures.ts';
import { visible } from './html/markup.ts';
import { code, inline } from './markdown-text.ts';
import type { ReportRun } from './run.ts';

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
