import { checkOutputs } from '../../api/check-outputs.ts';
import { type DryRun, dryRun } from '../../api/dry-run.ts';
import type { AskOptions } from '../../assemble/ask-options.ts';
import { counted, duration, grouped } from '../../base/text.ts';
import { now } from '../../base/time.ts';
import type { ExitCode } from '../../errors.ts';
import { strategyTraits } from '../../state.ts';
import type { Invocation } from '../command.ts';
import type { Hooks } from '../follow-run.ts';
import { openOutputFile, readOutputOptions } from '../output/output-options.ts';
import { size } from '../render/progress.ts';
import { asksModel, whoServes } from '../render/result.ts';
import { underSignals } from '../signals.ts';
import { oneLine, printable, say, toJson } from '../terminal.ts';

const listedDocuments = 20;

function documentLines({ documents, bytes, tokens }: DryRun): string[] {
  const shown = documents.slice(0, listedDocuments);
  const more = documents.length - shown.length;
  return [
    `Inputs: ${counted(documents.length, 'document')}, ${size(bytes)}, at most about ${counted(tokens, 'token')}`,
    ...shown.map(
      ({ name, bytes: fileBytes, lines }) => `  ${oneLine(name, 200)}  ${size(fileBytes)}, ${counted(lines, 'line')}`,
    ),
    ...(more > 0 ? [`  … and ${more} more`] : []),
  ];
}

function costText(usd: number | null, pricesOf: string | null): string {
  if (usd === null) return 'an unknown cost, because a price is unknown';
  return usd === 0 ? 'no cost' : `$${usd.toFixed(4)}${pricesOf === null ? '' : ` at the list prices of ${pricesOf}`}`;
}

function pictureLines({ pictures, pricesOf }: DryRun): string[] {
  if (pictures === null) return [];
  const { pages, allowed, most } = pictures;
  const cost = `at most ${counted(most.tokens, 'token')} and ${costText(most.usd, pricesOf)}`;
  const part = allowed < pages ? `; the limits of the run cover ${grouped(allowed)} of them` : '';
  const once = 'a page that was read before costs nothing';
  return [`Pictures: ${counted(pages, 'page')} to be read by ${whoServes(pictures)}, ${cost}${part}; ${once}`];
}

function wayOf({ approach, fits, documents, pictures }: DryRun): string {
  if (documents.length === 0 && pictures === null)
    return fits ? 'no text' : 'the search server is searched for passages';
  const reading = approach && strategyTraits[approach].reading;
  if (reading !== null) return reading;
  return fits ? 'the whole text fits one prompt' : 'the text is searched for passages';
}

const listed = (names: readonly string[]): string => names.join(', ').replace(/, ([^,]*)$/, ' or $1');

function approachLine(plan: DryRun): string {
  const { approach, approachReason, plannerMayChoose, mayClimbTo, windowTokens } = plan;
  const others = listed(plannerMayChoose);
  const more = listed(mayClimbTo.map((one) => (strategyTraits[one].way === 'passages' ? 'more of the text' : one)));
  const unless = others === '' ? '' : `, unless the planner chooses ${others}`;
  const then = more === '' ? '' : `, then ${more} if that is not enough`;
  const how = approach === null ? `the planner chooses ${others}` : `${approach}${unless}${then}`;
  const why = [...new Set([approachReason, wayOf(plan)])].map((words) => oneLine(words, 300)).join('; ');
  return `Approach: ${how} (${why}; window of ${counted(windowTokens, 'token')})`;
}

function worstLine({ worstCase: { calls, tokens, usd }, fewestCalls, pricesOf, timeout, models }: DryRun): string {
  const limit = `within ${duration(timeout * 1000)}`;
  if (!models.some(asksModel)) return `Calls: none, because no language model is used; ${limit}`;
  const most = `at worst ${grouped(calls)}, with ${counted(tokens, 'token')} and ${costText(usd, pricesOf)}, ${limit}`;
  return `Calls: ${grouped(fewestCalls)} at least; ${most}`;
}

/** Rounds up to a multiple of 5 s, because the estimate is not more precise. */
const roughly = (seconds: number): string => duration(Math.ceil(seconds / 5) * 5_000).replace('.0 s', ' s');

function timeLines({ estimatedSeconds, timeout, models }: DryRun): string[] {
  if (estimatedSeconds === null || !models.some(asksModel)) return [];
  const over = estimatedSeconds > timeout ? '; more than the limit (--timeout)' : '';
  const time = roughly(estimatedSeconds);
  return [`Time: about ${time} after the model is loaded, at its speed in earlier runs on this machine${over}`];
}

function readingLines({ reading, worstCase }: DryRun): string[] {
  if (reading === null) return [];
  const { pieces, fewestCalls, mostCalls } = reading;
  const all = `Reading: ${counted(pieces, 'piece')}; reading all pieces takes at least ${counted(fewestCalls, 'call')}, at worst ${grouped(mostCalls)}`;
  if (fewestCalls <= worstCase.calls) return [all];
  return [`${all}; the limit of ${worstCase.calls} covers only a part (--max-calls ${fewestCalls} covers all)`];
}

function descriptionLines({ fits, description, plannerMayChoose }: DryRun): string[] {
  if (fits || plannerMayChoose.length === 0) return [];
  const lines = printable(description).split('\n');
  return ['Description of the text for the planner:', ...lines.map((line) => `  ${line}`.trimEnd())];
}

function renderDryRun(plan: DryRun): string {
  const lines = [
    ...documentLines(plan),
    ...pictureLines(plan),
    `${plan.models.length > 1 ? 'Models' : 'Model'}: ${plan.models.map(whoServes).join(', ')}`,
    approachLine(plan),
    ...readingLines(plan),
    worstLine(plan),
    ...timeLines(plan),
    ...descriptionLines(plan),
    ...plan.warnings.map((warning) => `Note: ${printable(warning)}`),
    'No model was called. Omit --dry-run to ask the question.',
  ];
  return `${lines.join('\n')}\n`;
}

export async function runDry(
  invocation: Invocation,
  question: string,
  toOptions: (hooks: Hooks) => AskOptions,
): Promise<ExitCode> {
  const { format, outputFile, quiet } = readOutputOptions(invocation);
  const tell = quiet ? () => {} : (line: string) => say(invocation, line);
  const written = outputFile === null ? [] : [outputFile];
  const output = openOutputFile(outputFile, invocation.stdout, invocation.redactor);
  const ignored = { onEvent: () => {}, onReading: () => {}, onTrajectory: () => {} };
  try {
    const plan = await underSignals({}, async (signal) => {
      const planned = toOptions({ ...ignored, signal, say: tell, usedMs: now(), written });
      await checkOutputs(written, planned.paths ?? [], planned.configuration, planned.index);
      return dryRun(question, planned);
    });
    output.write(format === 'json' || format === 'ndjson' ? toJson(plan) : renderDryRun(plan));
  } catch (error) {
    output.discard();
    throw error;
  }
  await output.close();
  return 0;
}
