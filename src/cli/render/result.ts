import { counted, duration, grouped, money } from '../../base/text.ts';
import { providerTraitsOf } from '../../config/provider-traits.ts';
import { computedParts, isComputed } from '../../context/computed-passage.ts';
import {
  confidenceName,
  isForm,
  modelLabel,
  nearestOver,
  nodesOf,
  outcomeName,
  placeOf,
  type Result,
  unknownConfidence,
} from '../../result.ts';
import type { Usage } from '../../run/run-events.ts';
import { type Claim, type Contradiction, hasUnfoundValues } from '../../state.ts';
import { escapeControls, indented, type Output, oneLine, repliedText, toJson } from '../terminal.ts';

const plain: Output['style'] = (_, text) => text;

function contradictionText({ text, sides }: Contradiction, style: Output['style']): string {
  const quotes = sides.map(({ quote }) => `     ${style('dim', `"${oneLine(quote, 160)}"`)}`);
  return [`${style('yellow', '[!]')} the text contradicts itself: ${oneLine(text, 300)}`, ...quotes].join('\n');
}

export const sourceLines = ({ citations }: Result, style: Output['style']): string[] =>
  citations.map((citation) => {
    const { quote: words, source } = citation;
    if (words !== null && isComputed(citation)) {
      const { code, output } = computedParts(words);
      const shown = `${oneLine(code, 200)} → ${oneLine(output, 100)}`;
      return `[${citation.number}] ${style('cyan', source)}  ${style('dim', shown)}`;
    }
    const quote = words === null ? '' : `  ${style('dim', `"${oneLine(words, 120)}"`)}`;
    const over = nearestOver(citation);
    const under = over === '' ? '' : ` ${style('dim', `(${oneLine(over, 60)})`)}`;
    return `[${citation.number}] ${style('cyan', oneLine(placeOf(citation), 4_096))}${under}${quote}`;
  });

/** Formats the answer with its sources; empty without an answer. */
export function renderText(result: Result, output: Output | null): string {
  const { answer, claims, contradictions, status } = result;
  if (answer === null) return '';
  // Nothing follows this JSON, because programs read it. Its sources are in the result (--json).
  if (isForm(result)) return `${escapeControls(answer)}\n`;
  const { style = plain, isTerminal = false } = output ?? {};
  const sources = sourceLines(result, style);
  const block = sources.length > 0 ? `\n\nSources:\n${sources.join('\n')}` : '';
  const notes = [...faultLines(claims, style), ...contradictions.map((one) => contradictionText(one, style))];
  const below = notes.length > 0 ? `\n\n${notes.join('\n')}` : '';
  const heading = isTerminal && status !== 'answered' ? `${style('yellow', 'Partial answer')}\n\n` : '';
  return `${heading}${styleClaims(answer, claims, style, isTerminal)}${block}${below}\n`;
}

export const whoServes = (one: Parameters<typeof modelLabel>[0]): string => oneLine(modelLabel(one));

function facts(result: Result): string {
  const { answer, confidence, usage, recursionTree } = result;
  const why = answer === null ? '' : `, ${unknownConfidence(result)}`;
  const name = confidenceName(result);
  const sure = confidence === null ? `${name} unknown${why}` : `${name} ${confidence}/100`;
  const who = whoServes(result);
  const questions = recursionTree === null ? 0 : nodesOf(recursionTree).length;
  const asked = questions > 1 ? counted(questions, 'question') : '';
  const reused = usage.cacheHits > 0 ? `${usage.cacheHits} reused` : '';
  const tokens = usage.tokens.input + usage.tokens.output;
  const cached = usage.tokens.cacheRead > 0 ? ` (${grouped(usage.tokens.cacheRead)} cached)` : '';
  const used = tokens > 0 ? `${counted(tokens, 'token')}${cached}` : '';
  const paid = usage.cost !== null && usage.cost > 0 ? money(usage.cost) : '';
  const spent = [callsText(result), used, paid, reused, duration(usage.wallTimeMs)];
  return [sure, uncheckedText(result.claims), asked, ...spent, who].filter(Boolean).join(' · ');
}

/** Formats the last lines on stderr: the outcome of the run, what to do next, the open questions and the usage. */
export function renderSummary(result: Result, stderr: Output, quiet: boolean): string {
  const { error, status } = result;
  const color = error === null && result.tells !== 'nothing' ? 'green' : status === 'failed' ? 'red' : 'yellow';
  const headline = outcomeName(result);
  const lines: string[] = [];
  if (error) lines.push(`${stderr.style(color, headline)}: ${indented(error.message)}`);
  if (error?.hint) lines.push(indented(error.hint));
  if (result.resumable) lines.push(`To continue: rlm resume ${result.runId}`);
  if (!quiet) for (const question of result.missing) lines.push(`not answered: ${oneLine(question, 300)}`);
  if (!quiet && result.runId !== null) {
    lines.push(error ? facts(result) : `${stderr.style(color, headline)} · ${facts(result)}`);
  }
  // The fault lines are here, because the JSON on stdout cannot contain them.
  if (!quiet && isForm(result)) lines.push(...faultLines(result.claims, stderr.style));
  return lines.map((line, index) => `${index === 0 ? 'rlm: ' : '     '}${line}\n`).join('');
}

const faults: Readonly<Partial<Record<Claim['verdict'], string>>> = {
  unsupported: 'not supported',
  contradicted: 'contradicted',
};

const isFaulty = ({ verdict }: Claim): boolean => verdict in faults;

const isUnchecked = ({ verdict }: Claim): boolean => verdict === 'unchecked';

/** Returns a text such as `2 of 5 claims not judged by a model [?]`; empty if all claims were checked. */
function uncheckedText(claims: readonly Claim[]): string {
  const count = claims.filter(isUnchecked).length;
  if (count === 0) return '';
  return count < claims.length
    ? `${count} of ${counted(claims.length, 'claim')} not judged by a model [?]`
    : 'not judged by a model';
}

/** Placeholders around a faulty claim while the answer is sanitized. They are removed afterwards. */
const [open, close] = ['\ue000', '\ue001'];

const endWithNumbers = (answer: string, { end }: Claim): number =>
  end + /^(?:[ \t]*\[\d+\])*/.exec(answer.slice(end))![0].length;

/**
 * Returns the sanitized answer. Each faulty claim is struck through and followed by `[!]`. `showsUnchecked` adds `[?]`
 * to each unchecked claim. If all claims are unchecked, it adds `[?]` only to claims with values that the text lacks.
 */
export function styleClaims(
  answer: string,
  claims: readonly Claim[],
  style: Output['style'],
  showsUnchecked: boolean,
): string {
  let marked = answer.replace(/[\ue000\ue001]/g, '\ufffd');
  const isDoubtful = claims.every(isUnchecked) ? hasUnfoundValues : isUnchecked;
  for (const claim of claims.toReversed()) {
    const [start, end, after] = [claim.start, claim.end, endWithNumbers(marked, claim)];
    const [before, claimed, numbers] = [marked.slice(0, start), marked.slice(start, end), marked.slice(end, after)];
    if (isFaulty(claim)) marked = `${before}${open}${claimed}${close}${numbers} [!]${marked.slice(after)}`;
    else if (showsUnchecked && isDoubtful(claim)) marked = `${before}${claimed}${numbers} [?]${marked.slice(after)}`;
  }
  const struck = (_: string, claimed: string) => claimed.replace(/.+/g, (line) => style('strikethrough', line));
  return repliedText(marked).replace(/\ue000([^\ue000\ue001]*)\ue001/g, struck);
}

/** Returns a line with text and reason for each claim that is faulty or states a value that the text lacks. */
export const faultLines = (claims: readonly Claim[], style: Output['style']): string[] =>
  claims.flatMap((claim) => {
    const { verdict, text, reason } = claim;
    const shown = `"${oneLine(text, 120)}"`;
    const why = oneLine(reason ?? '', 300);
    if (hasUnfoundValues(claim)) return `${style('yellow', '[?]')} ${shown}: ${why}`;
    return isFaulty(claim) ? `${style('yellow', '[!]')} ${faults[verdict]}: ${shown}${why && ` (${why})`}` : [];
  });

/** Whether a provider calls a language model. True for an unknown provider. */
export const asksModel = (one: { readonly provider: string | null } | null): boolean =>
  providerTraitsOf(one?.provider ?? '')?.asksModel ?? true;

const modelCalls = ({ calls, models }: Pick<Usage, 'calls' | 'models'>): number =>
  models.reduce((left, one) => left - (asksModel(one) ? 0 : one.calls), calls);

/** Returns a text such as `3 calls`; empty for 0. */
export const callsSoFar = (calls: number): string => (calls === 0 ? '' : counted(calls, 'call'));

export const hasModelCalls = (result: Pick<Result, 'provider' | 'usage'>): boolean =>
  asksModel(result) || modelCalls(result.usage) > 0;

const callsText = (result: Pick<Result, 'provider' | 'usage'>): string =>
  hasModelCalls(result) ? counted(modelCalls(result.usage), 'call') : '';

/** Formats the last line of ndjson, with the result. `seq` is the number of the line, from 1. */
export function renderLastEvent(result: Result, seq: number): string {
  const type = result.status === 'failed' ? 'run.failed' : 'run.completed';
  return toJson({ seq, at: new Date().toISOString(), runId: result.runId, type, result });
}
