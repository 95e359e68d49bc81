import type { DoctorReport, ReportedModel } from '../../api/models/doctor.ts';
import { counted, duration, textTable } from '../../base/text.ts';
import { now } from '../../base/time.ts';
import type { Settings } from '../../config/settings.ts';
import type { RlmError } from '../../errors.ts';
import type { ModelDetails, ModelInfo, ModelSummary, PullProgress } from '../../providers/provider.ts';
import { largestWindow } from '../../run/door/window.ts';
import { type Output, oneLine, printable } from '../terminal.ts';
import { createStatusLine, size } from './progress.ts';

/** Formats the size of a model: 9.0 GB, 274 MB. */
export const modelSize = (bytes: number): string => (bytes < 1e9 ? size(bytes) : `${(bytes / 1e9).toFixed(1)} GB`);

/** Whether a listed name is the name of `model`. A model without a tag has the tag `latest`. */
export const isNamed = (name: string, model: string): boolean => name === model || name === `${model}:latest`;

const cannotChat = (capabilities: readonly string[]) => capabilities.length > 0 && !capabilities.includes('completion');

function cells({ name, sizeBytes, capabilities, windowTokens }: ModelSummary, configured: string): string[] {
  return [
    isNamed(name, configured) ? '*' : ' ',
    name,
    sizeBytes === null ? '' : modelSize(sizeBytes),
    windowTokens === null ? '' : counted(windowTokens, 'token'),
    [...capabilities, ...(cannotChat(capabilities) ? ['(cannot answer questions)'] : [])].join(', '),
  ];
}

export const renderModels = (models: readonly ModelSummary[], configured: string): string =>
  printable(textTable(models.map((model) => cells(model, configured))));

interface ShownModel {
  readonly details: ModelDetails;
  readonly served: ModelInfo | RlmError;
}

export function usesOf({ details, served }: ShownModel, settings: Settings): string[] {
  const embeds = details.capabilities.includes('embedding')
    ? [`can turn text into vectors: --embedding-model ${details.name}`]
    : [];
  if (served instanceof Error) return [`cannot answer questions: ${served.message}`, ...embeds];
  const { maxWindowTokens, structuredOutput, tools, spends, notices } = served;
  const window = largestWindow(served, settings);
  const bound = window < maxWindowTokens ? ' (context.maxWindowTokens)' : '';
  return [
    `requests a window as large as the text needs, at most ${counted(window, 'token')}${bound}`,
    structuredOutput
      ? 'constrains the replies with a JSON Schema'
      : 'requests labelled text, because a schema cannot constrain the replies',
    tools
      ? 'uses native tool calls'
      : 'lets the model write tool calls as text, because the model has no native tool calls',
    ...(details.capabilities.includes('thinking') ? ['enables thinking for free-text replies only'] : []),
    ...(spends === 'money' ? ['counts the cost, if the price is known'] : []),
    ...embeds,
    ...notices,
  ];
}

const parameterLines = ({ parameters }: ModelDetails): string[] =>
  Object.entries(parameters).map(([name, values]) => `${name} ${values.map((one) => JSON.stringify(one)).join(', ')}`);

const indented = (lines: readonly string[]) => lines.join(`\n${' '.repeat(14)}`);

export function renderModel(shown: ShownModel, settings: Settings): string {
  const { details } = shown;
  const { family, parameterSize, quantization, sizeBytes, windowTokens, capabilities, templateDigest } = details;
  const rows: readonly (readonly [string, string | null])[] = [
    ['Model', details.name],
    ['Size', sizeBytes === null ? null : modelSize(sizeBytes)],
    ['Weights', [family, parameterSize, quantization].filter((part) => part !== null).join(', ')],
    ['Window', windowTokens === null ? null : counted(windowTokens, 'token')],
    ['Can', capabilities.join(', ')],
    ['Parameters', indented(parameterLines(details))],
    ['Template', templateDigest === null ? null : `SHA-256 ${templateDigest}`],
    ['rlm', indented(usesOf(shown, settings))],
  ];
  const lines = rows.flatMap(([name, value]) => (value ? [`${`${name}:`.padEnd(14)}${value}\n`] : []));
  return printable(lines.join(''));
}

const signs = { ok: ['green', '✔'], note: ['yellow', '!'], problem: ['red', '✘'] } as const;

const whole = (perSecond: number): number => Math.max(1, Math.round(perSecond));

/** `rlm doctor` lists at most this many models. With --json, it lists all. */
const shownModels = 10;

function priceOf({ price }: ReportedModel): string {
  if (price === null) return 'price unknown';
  return price.input + price.output === 0 ? '' : `$${price.input}/$${price.output} per million tokens`;
}

function modelLine(model: ReportedModel): string {
  const { name, provider, sizeBytes, windowTokens, tools, thinking, structuredOutput, capabilities, jobs, speed } =
    model;
  const size = sizeBytes === null ? '' : `${(sizeBytes / 1e9).toFixed(1)} GB`;
  const window = windowTokens === null ? '' : counted(windowTokens, 'token');
  const can = [tools && 'tools', structuredOutput && 'JSON', thinking && 'thinking'].filter(Boolean).join(', ');
  const use =
    jobs.length > 0 ? [can, priceOf(model), `for ${jobs.join(', ')}`] : [capabilities.join(', '), 'cannot chat'];
  const pace = speed && `reads ${whole(speed.read)} and writes ${whole(speed.written)} tokens per second here`;
  const facts = [size, window, ...use, pace].filter(Boolean).join(' · ');
  return `  ${model.isChosen ? '→' : ' '} ${provider}/${name}  ${facts}\n`;
}

function modelList(models: readonly ReportedModel[]): string {
  if (models.length === 0) return '';
  const chosenFirst = models.toSorted((a, b) => Number(b.isChosen) - Number(a.isChosen));
  const more = models.length - shownModels;
  const rest = more > 0 ? `    … and ${more} more (--json)\n` : '';
  return `\nModels (→ is the one in use):\n${chosenFirst.slice(0, shownModels).map(modelLine).join('')}${rest}`;
}

export function renderDoctor({ checks, models, answersWith: who, next }: DoctorReport, stdout: Output): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.map(({ name, state, message, fix }) => {
    const [color, sign] = signs[state];
    const fixLine = fix ? `  ${' '.repeat(width + 2)}→ ${printable(fix)}\n` : '';
    return `${stdout.style(color, sign)} ${name.padEnd(width)}  ${printable(message)}\n${fixLine}`;
  });
  const end = who === null ? 'rlm cannot answer questions now.' : `Questions are answered by ${who}.`;
  const more = next.length > 0 ? `Next steps:\n${next.map((one) => `  ${printable(one)}\n`).join('')}` : '';
  return `${lines.join('')}${printable(modelList(models))}\n${end}\n${more}`;
}

type Report = { readonly at: number; readonly bytes: number };

/** Returns the rate in bytes per second; null until half a second has passed since the first report. */
function rateOf([first, ...others]: readonly Report[]): number | null {
  const ms = first ? now() - first.at : 0;
  return ms < 500 ? null : (((others.at(-1) ?? first!).bytes - first!.bytes) / ms) * 1000;
}

const lineBytes = 500_000_000;

/** Returns how many lines are due so far: one for each tenth of a known size, or else one for each `lineBytes`. */
const linesUpTo = ({ completedBytes, totalBytes }: PullProgress): number =>
  Math.floor(totalBytes ? (completedBytes / totalBytes) * 10 : completedBytes / lineBytes);

/** Formats a transfer: `  43% of 9.0 GB  56.2 MB/s, 1 min 27 s left`, or `  3.1 GB so far  56.2 MB/s`. */
function transferText({ completedBytes, totalBytes }: PullProgress, rate: number | null): string {
  const pace = rate ? `  ${(rate / 1e6).toFixed(1)} MB/s` : '';
  if (!totalBytes) return `  ${modelSize(completedBytes)} so far${pace}`;
  const left = totalBytes - completedBytes;
  const time = rate && left > 0 ? `, ${duration((left / rate) * 1000)} left` : '';
  const share = Math.min(100, Math.floor((completedBytes / totalBytes) * 100));
  return `${`${share}%`.padStart(6)} of ${modelSize(totalBytes)}${left > 0 ? pace : ''}${time}`;
}

/**
 * Shows a download on stderr. On a terminal, redraws one line. On other outputs, writes a line for each step and for
 * each tenth of a file.
 * @param stallMs the time without progress after which a download is reported as stalled.
 */
export function createPullDisplay(stderr: Output, stallMs = 30_000) {
  const line = createStatusLine(stderr, Number.POSITIVE_INFINITY);
  let last: PullProgress = { status: 'waiting for the server', digest: null, completedBytes: 0, totalBytes: null };
  let seen: Report[] = [];
  let reported = 0;
  const reportStall = () => {
    line.keep();
    const state = `no progress for ${duration(stallMs)} (${oneLine(last.status, 60)}); still waiting`;
    stderr.write(`rlm: ${state}. Ctrl-C stops the download; the same command continues it.\n`);
  };
  let timer = setTimeout(reportStall, stallMs);
  return {
    onProgress(progress: PullProgress): void {
      if (progress.status === 'success') return;
      const isNew = progress.status !== last.status || progress.digest !== last.digest;
      const isNews = isNew || progress.completedBytes !== last.completedBytes;
      if (isNew) {
        line.keep();
        seen = [];
      }
      last = progress;
      seen.push({ at: now(), bytes: progress.completedBytes });
      while (seen.length > 2 && seen[1]!.at < now() - 5_000) seen.shift();
      const reached = linesUpTo(progress);
      const amount = progress.digest === null ? '' : transferText(progress, rateOf(seen));
      line.show(`${oneLine(progress.status, 60)}${amount}`, isNew || reached > reported);
      reported = reached;
      if (!isNews) return;
      clearTimeout(timer);
      timer = setTimeout(reportStall, stallMs);
    },
    close(): void {
      clearTimeout(timer);
      line.keep();
    },
  };
}
