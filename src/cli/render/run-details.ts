import { counted } from '../../base/counted.ts';
import { duration } from '../../base/duration.ts';
import type { DetailedRun, ErrorInfo, Result, Usage } from '../../index.ts';
import { type Output, oneLine, printable } from '../terminal.ts';
import { asksModel, hasModelCalls } from './model-calls.ts';
import { size } from './progress-lines.ts';
import { localTime } from './run-list.ts';
import { renderTree, tokensText } from './run-tree.ts';
import { table } from './table.ts';
import { renderText, whoServes } from './text.ts';

const longestLine = 4_096;
const namedDocuments = 5;

function documentsText({ documents }: DetailedRun): string {
  const bytes = documents.reduce((total, document) => total + document.bytes, 0);
  const names = documents.slice(0, namedDocuments).map(({ name }) => oneLine(name));
  const more = documents.length - names.length;
  const list = [...names, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
  return documents.length === 0 ? 'none' : `${counted(documents.length, 'document')}, ${size(bytes)}: ${list}`;
}

const errorText = ({ code, message }: ErrorInfo) => `: ${oneLine(message, longestLine)} (${code})`;

function statusText({ status, result }: DetailedRun): string {
  if (status === 'running') return 'running in another process';
  if (status === 'stopped') return 'stopped before the end';
  return `${status}${result?.error ? errorText(result.error) : ''}`;
}

function head(run: DetailedRun, stdout: Output): string {
  const { runId, at, task, cwd, provider, model, result } = run;
  const confidence = result?.confidence ?? null;
  const name = result?.confidenceKind === 'match' ? 'match' : 'confidence';
  const rows = [
    ['run', oneLine(runId)],
    ['question', oneLine(task, longestLine)],
    ['asked', `${localTime(at)} in ${oneLine(cwd, longestLine)}`],
    ['text', documentsText(run)],
    ['model', whoServes({ provider, model })],
    ['status', statusText(run)],
    ...(confidence === null ? [] : [[name, `${confidence}/100`]]),
  ];
  return table(rows).replace(/^\w+/gm, (name) => stdout.style('bold', name));
}

const costText = (cost: number | null) => (cost === null ? 'cost unknown' : `$${cost}`);

/** Runs of earlier versions have no counts of embeddings. */
function embeddingText(embeddings: Usage['embeddings'] | undefined): string {
  if (!embeddings || embeddings.requests + embeddings.reused === 0) return '';
  const reused = embeddings.reused > 0 ? `, ${counted(embeddings.reused, 'vector')} reused` : '';
  return `${counted(embeddings.requests, 'embedding request')}${reused}`;
}

function usageText(result: Result): string {
  const { usage } = result;
  return hasModelCalls(result) ? spentText(usage) : `no language model was called · ${duration(usage.wallTimeMs)}`;
}

function spentText({ calls, subCalls, failedCalls, retries, replayedCalls, cacheHits, ...rest }: Usage): string {
  const kinds: readonly (readonly [number, string])[] = [
    [subCalls, `${subCalls} below the root`],
    [failedCalls, `${failedCalls} failed`],
    [replayedCalls, `${replayedCalls} replayed`],
    [retries, counted(retries, 'retry', 'retries')],
  ];
  const details = kinds.filter(([count]) => count > 0).map(([, text]) => text);
  const all = `${counted(calls, 'call')}${details.length > 0 ? ` (${details.join(', ')})` : ''}`;
  const hits = cacheHits > 0 ? counted(cacheHits, 'cache hit') : '';
  return [
    all,
    hits,
    embeddingText(rest.embeddings),
    tokensText(rest.tokens),
    costText(rest.cost),
    duration(rest.wallTimeMs),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Returns the usage of a run without a result. */
function usageSoFar({ provider, calls, usedMs }: DetailedRun): string {
  if (!asksModel({ provider })) return duration(usedMs);
  const sum = (pick: (call: DetailedRun['calls'][number]) => number) =>
    calls.reduce((total, call) => total + pick(call), 0);
  const tokens = { input: sum((call) => call.tokens.input), output: sum((call) => call.tokens.output) };
  return [counted(calls.length, 'call'), tokensText(tokens), duration(usedMs)].join(' · ');
}

function callsText({ provider, calls }: DetailedRun): string {
  const rows = calls.map(({ place, question, tokens, tries }) => [
    `  ${oneLine(place)}`,
    asksModel({ provider }) ? tokensText(tokens) : '',
    tries > 1 ? `in ${tries} tries` : '',
    oneLine(question),
  ]);
  return table(rows).trimEnd();
}

interface Section {
  readonly title: string;
  /** Empty when the section is omitted. */
  readonly text: string;
}

const bulleted = (lines: readonly string[]) => lines.map((line) => `- ${oneLine(line, longestLine)}`).join('\n');

function resultSections(result: Result, isEarlier: boolean, stdout: Output): Section[] {
  return [
    { title: isEarlier ? 'Answer before the run was resumed' : 'Answer', text: renderText(result, stdout).trimEnd() },
    {
      title: 'Questions',
      text: result.recursionTree === null ? '' : renderTree(result.recursionTree, hasModelCalls(result), stdout),
    },
    { title: 'Totals', text: usageText(result) },
    { title: 'Warnings', text: bulleted(result.warnings) },
  ];
}

function sectionsOf(run: DetailedRun, stdout: Output): Section[] {
  const { runId, status, result, resumable, damagedLines } = run;
  const isOver = status !== 'running' && status !== 'stopped';
  const soFar = [
    { title: asksModel(run) ? 'Calls so far' : 'Steps so far', text: callsText(run) },
    { title: 'Totals so far', text: usageSoFar(run) },
  ];
  const damage = damagedLines === 0 ? '' : `${counted(damagedLines, 'record')} of the journal cannot be read.`;
  const hint = isOver ? printable(result?.error?.hint ?? '') : '';
  return [
    ...(result === null ? [] : resultSections(result, !isOver, stdout)),
    ...(isOver ? [] : soFar),
    { title: 'Damage', text: damage },
    {
      title: 'To continue',
      text: resumable ? [hint, `rlm resume ${oneLine(runId)}`].filter(Boolean).join('\n') : '',
    },
  ];
}

/** Formats a run: its question, its answer, its steps, its cost, and the command to continue it. */
export function renderRun(run: DetailedRun, stdout: Output): string {
  const sections = sectionsOf(run, stdout)
    .filter(({ text }) => text !== '')
    .map(({ title, text }) => `\n${stdout.style('bold', `${title}:`)}\n${text}\n`);
  return `${head(run, stdout)}${sections.join('')}`;
}
