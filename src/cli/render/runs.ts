import type { DetailedRun, ListedRun } from '../../api/runs/recorded-runs.ts';
import { counted, duration, grouped, textTable, widthsOf } from '../../base/text.ts';
import { confidenceName, type Result } from '../../result.ts';
import type { Usage } from '../../run/run-events.ts';
import type { TreeNode } from '../../state.ts';
import { type Output, oneLine, printable } from '../terminal.ts';
import { finishedMarks } from './live/tree.ts';
import { size } from './progress.ts';
import { asksModel, hasModelCalls, renderText, whoServes } from './result.ts';

/** Formats a time in the local time zone, such as `2026-11-21 01:08`. Empty for null. */
export function localTime(at: string | null): string {
  if (at === null) return '';
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return oneLine(at, 20);
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16).replace('T', ' ');
}

/** Formats runs as lines: id, start, status, calls, question. */
export function renderRuns(runs: readonly ListedRun[], stdout: Output): string {
  const facts = runs.map(({ runId, at, status, calls, provider }) => [
    oneLine(runId),
    localTime(at),
    status,
    status === 'damaged' || !asksModel({ provider }) ? '' : counted(calls, 'call'),
  ]);
  const used = widthsOf(facts).reduce((total, width) => total + width + 2, 0);
  const room = stdout.isTerminal ? Math.max(20, stdout.columns - used) : 1_000;
  return textTable(runs.map(({ task, damage }, index) => [...facts[index]!, oneLine(task ?? damage ?? '', room)]));
}

const clipped = (text: string): string => oneLine(text, 4_096);
const namedDocuments = 5;

function documentsText({ documents }: DetailedRun): string {
  const bytes = documents.reduce((total, document) => total + document.bytes, 0);
  const names = documents.slice(0, namedDocuments).map(({ name }) => oneLine(name));
  const more = documents.length - names.length;
  const list = [...names, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
  return documents.length === 0 ? 'none' : `${counted(documents.length, 'document')}, ${size(bytes)}: ${list}`;
}

function statusText({ status, result }: DetailedRun): string {
  if (status === 'running') return 'running in another process';
  if (status === 'stopped') return 'stopped before the end';
  return result?.error ? `${status}: ${clipped(result.error.message)} (${result.error.code})` : status;
}

function head(run: DetailedRun, stdout: Output): string {
  const { runId, at, task, cwd, provider, model, result } = run;
  const rows = [
    ['run', oneLine(runId)],
    ['question', clipped(task)],
    ['asked', `${localTime(at)} in ${clipped(cwd)}`],
    ['text', documentsText(run)],
    ['model', whoServes({ provider, model })],
    ['status', statusText(run)],
    ...(typeof result?.confidence === 'number' ? [[confidenceName(result), `${result.confidence}/100`]] : []),
  ];
  return textTable(rows).replace(/^\w+/gm, (name) => stdout.style('bold', name));
}

const costText = (cost: number | null) => (cost === null ? 'cost unknown' : `$${cost}`);

function embeddingText(embeddings: Usage['embeddings']): string {
  if (embeddings.requests + embeddings.reused === 0) return '';
  const reused = embeddings.reused > 0 ? `, ${counted(embeddings.reused, 'vector')} reused` : '';
  return `${counted(embeddings.requests, 'embedding request')}${reused}`;
}

function spentText({ calls, subCalls, failedCalls, retries, replayedCalls, cacheHits, ...rest }: Usage): string {
  const details = [
    subCalls > 0 && `${subCalls} below the root`,
    failedCalls > 0 && `${failedCalls} failed`,
    replayedCalls > 0 && `${replayedCalls} replayed`,
    retries > 0 && counted(retries, 'retry', 'retries'),
  ].filter(Boolean);
  const all = `${counted(calls, 'call')}${details.length > 0 ? ` (${details.join(', ')})` : ''}`;
  const hits = cacheHits > 0 ? counted(cacheHits, 'cache hit') : '';
  const facts = [embeddingText(rest.embeddings), tokensText(rest.tokens), costText(rest.cost)];
  return [all, hits, ...facts, duration(rest.wallTimeMs)].filter(Boolean).join(' · ');
}

function usageSoFar({ provider, calls, lost, usedMs }: DetailedRun): string {
  if (!asksModel({ provider })) return duration(usedMs);
  const sum = (of: 'input' | 'output') => [...calls, ...lost].reduce((total, { tokens }) => total + tokens[of], 0);
  return [
    counted(calls.length + lost.length, 'call'),
    tokensText({ input: sum('input'), output: sum('output') }),
    duration(usedMs),
  ].join(' · ');
}

function callsText({ provider, calls }: DetailedRun): string {
  const rows = calls.map(({ place, question, tokens, tries }) => [
    `  ${oneLine(place)}`,
    asksModel({ provider }) ? tokensText(tokens) : '',
    tries > 1 ? `in ${tries} tries` : '',
    oneLine(question),
  ]);
  return textTable(rows).trimEnd();
}

/** A title with its text. A section with an empty text is not shown. */
type Section = readonly [title: string, text: string];

const bulleted = (lines: readonly string[]) => lines.map((line) => `- ${clipped(line)}`).join('\n');

function resultSections(result: Result, isEarlier: boolean, stdout: Output): Section[] {
  const { recursionTree: root, warnings, usage } = result;
  const idle = `no language model was called · ${duration(usage.wallTimeMs)}`;
  return [
    [isEarlier ? 'Answer before the run was resumed' : 'Answer', renderText(result, stdout).trimEnd()],
    ['Questions', root === null ? '' : renderTree(root, hasModelCalls(result), stdout)],
    ['Totals', hasModelCalls(result) ? spentText(usage) : idle],
    ['Warnings', bulleted(warnings)],
  ];
}

function sectionsOf(run: DetailedRun, stdout: Output): Section[] {
  const { runId, status, result, resumable, damagedLines } = run;
  const isOver = status !== 'running' && status !== 'stopped';
  const soFar: Section[] = [
    [asksModel(run) ? 'Calls so far' : 'Steps so far', callsText(run)],
    ['Totals so far', usageSoFar(run)],
  ];
  const damage = damagedLines === 0 ? '' : `${counted(damagedLines, 'record')} of the journal cannot be read.`;
  const hint = isOver ? printable(result?.error?.hint ?? '') : '';
  return [
    ...(result === null ? [] : resultSections(result, !isOver, stdout)),
    ...(isOver ? [] : soFar),
    ['Damage', damage],
    ['To continue', resumable ? [hint, `rlm resume ${oneLine(runId)}`].filter(Boolean).join('\n') : ''],
  ];
}

export function renderRun(run: DetailedRun, stdout: Output): string {
  const sections = sectionsOf(run, stdout)
    .filter(([, text]) => text !== '')
    .map(([title, text]) => `\n${stdout.style('bold', `${title}:`)}\n${text}\n`);
  return `${head(run, stdout)}${sections.join('')}`;
}

function tokensText(tokens: TreeNode['tokens'] & Partial<Usage['tokens']>): string {
  const { input, output, cacheRead = 0, cacheWritten = 0 } = tokens;
  const read = cacheRead > 0 ? [`${grouped(cacheRead)} read from the provider's cache`] : [];
  const written = cacheWritten > 0 ? [`${grouped(cacheWritten)} written to the provider's cache`] : [];
  const cached = [...read, ...written].join(', ');
  return `${counted(input, 'token')} in${cached && ` (${cached})`}, ${grouped(output)} out`;
}

const oddsOf = ({ assessment }: TreeNode): string =>
  typeof assessment?.probability === 'number' ? `${Math.round(assessment.probability * 100)} % complex` : '';

function factsOf(node: TreeNode, showsCalls: boolean): string {
  const { status, strategy, strategyReason, calls, tokens, timeMs, cacheHits } = node;
  const why = strategyReason === '' ? '' : ` (${clipped(strategyReason)})`;
  const spent = showsCalls ? [counted(calls, 'call'), tokensText(tokens)] : [];
  const hits = cacheHits > 0 ? counted(cacheHits, 'cache hit') : '';
  return [`${status}, ${strategy}${why}`, oddsOf(node), ...spent, duration(timeMs), hits].filter(Boolean).join(' · ');
}

const searchesOf = ({ searches }: TreeNode): string[] =>
  searches.map(({ query, found }) => `searched for "${clipped(query)}": ${counted(found.length, 'passage')}`);

const shownArguments = 160;

const stepsOf = ({ steps }: TreeNode): string[] =>
  steps.flatMap(({ number, thought, calls, findings, next, summarisedTo }) => [
    `step ${number}${thought === '' ? '' : `: ${clipped(thought)}`}`,
    ...(summarisedTo > 0 ? [`  (the model saw steps 1 to ${summarisedTo} as a summary)`] : []),
    ...calls.map(({ tool, arguments: given, result, outcome }) => {
      const [first = ''] = result.split('\n');
      const how = outcome === 'done' ? '' : ` (${outcome})`;
      return `  ${oneLine(tool, 60)} ${oneLine(JSON.stringify(given) ?? '', shownArguments)}${how}: ${oneLine(first, shownArguments)}`;
    }),
    ...findings.map(({ description, source, startLine, endLine, passage }) => {
      const place = passage === null ? 'not in the text' : `${source}:${startLine}-${endLine}`;
      return `  found: ${clipped(description)} (${clipped(place)})`;
    }),
    ...(next === '' ? [] : [`  next: ${clipped(next)}`]),
  ]);

function linesOf(node: TreeNode, showsCalls: boolean, output: Output): string[] {
  const { color, sign } = finishedMarks[node.status];
  const dim = [factsOf(node, showsCalls), ...stepsOf(node), ...searchesOf(node)];
  const own = [
    `${output.style(color, sign)} ${clipped(node.question)}`,
    ...dim.map((line) => `  ${output.style('dim', line)}`),
    ...(node.error === null ? [] : [`  ${output.style('yellow', clipped(node.error.message))}`]),
  ];
  return [...own, ...node.children.flatMap((child) => linesOf(child, showsCalls, output).map((line) => `  ${line}`))];
}

/** @param showsCalls whether to show calls and tokens. Only runs with a language model have them. */
export const renderTree = (root: TreeNode, showsCalls: boolean, output: Output): string =>
  linesOf(root, showsCalls, output).join('\n');
