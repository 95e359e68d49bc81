import { isScalar, parseDocument, visit } from 'yaml';
import * as z from 'zod/mini';
import { ask } from '../../api/ask.ts';
import { checkLog, checkOutputs } from '../../api/check-outputs.ts';
import { renderChecks } from '../../api/runs/reports.ts';
import { statedWords } from '../../api/stated-words.ts';
import { expectation } from '../../base/expectation.ts';
import { readOwnTextIfAny } from '../../base/files/own-file.ts';
import { compilePathGlob } from '../../base/glob.ts';
import { nearest } from '../../base/nearest.ts';
import { isStackFull } from '../../base/stack-full.ts';
import { counted } from '../../base/text.ts';
import { now } from '../../base/time.ts';
import { type Configuration, loadConfiguration } from '../../config/layers.ts';
import type { Settings } from '../../config/settings.ts';
import { type ExitCode, errorCodes, kindOf, RlmError, toRlmError } from '../../errors.ts';
import { confidenceName, exitCodeOf, failedResult, type Result, requestsOf } from '../../result.ts';
import { type Invocation, textOption } from '../command.ts';
import { createKeptText, type KeptText } from '../kept-text.ts';
import { createLog } from '../log.ts';
import { checkDistinct, openOutputFile, openSummary, type Sink, summaryPath } from '../output/output-options.ts';
import { settingFlags } from '../setting-flags.ts';
import { underSignals } from '../signals.ts';
import { oneLine, reportUnwritten, toJson } from '../terminal.ts';

type CheckOutcome = Awaited<ReturnType<typeof askCheck>>;

const schemaVersion = 1;

const isPassed = ({ failures }: CheckOutcome): boolean => failures.length === 0;

const listed = (outcome: CheckOutcome) => {
  const { task: question, runId, status, answer, confidence, citations, error } = outcome.result;
  const { name, failures } = outcome;
  return { name, question, passed: isPassed(outcome), failures, runId, status, answer, confidence, citations, error };
};

const endsAll = ({ error }: Result): boolean =>
  error !== null && ['unavailable', 'interruption', 'configuration'].includes(kindOf(error));

async function askCheck(
  check: CheckSpec,
  text: KeptText,
  { configuration, log }: Pick<Settled, 'configuration' | 'log'>,
  signal: AbortSignal,
) {
  const asking = async () =>
    ask(check.question, {
      ...(await text.options({ configuration, signal })),
      configuration,
      signal,
      onEvent(event) {
        text.onEvent(event);
        log?.onEvent(event);
      },
      resumable: configuration.settings.journal,
      partOf: 'checks',
    });
  const result = await asking().catch((error: unknown) => failedResult(check.question, toRlmError(error)));
  const failures = result.error === null ? failuresOf(check, result) : [result.error.message];
  return { name: check.name ?? check.question, result, failures };
}

/** The configuration of all checks, and the log of their runs; null: none. */
interface Settled {
  readonly configuration: Configuration;
  readonly flags: ReadonlyMap<string, unknown>;
  readonly log: ReturnType<typeof createLog> | null;
}

/** Returns what is left of the limits that flags set for all checks together; null if one of them is used up. */
function leftOf(flags: Settled['flags'], { budget }: Settings, outcomes: readonly CheckOutcome[]) {
  const used = (of: (usage: Result['usage']) => number): number =>
    outcomes.reduce((sum, { result }) => sum + of(result.usage), 0);
  const limits = [
    { key: 'budget.maxCalls', limit: budget.maxCalls, spent: used(requestsOf) },
    { key: 'budget.maxTokens', limit: budget.maxTokens, spent: used(({ tokens }) => tokens.input + tokens.output) },
    { key: 'budget.maxCost', limit: budget.maxCost, spent: used(({ cost }) => cost ?? 0) },
    { key: 'budget.timeout', limit: budget.timeout, spent: now() / 1000 },
  ].flatMap(({ limit, ...one }) => (limit !== null && flags.has(one.key) ? { limit, ...one } : []));
  if (limits.some(({ limit, spent }) => spent > 0 && spent >= limit)) return null;
  return new Map(limits.map(({ key, limit, spent }) => [key, limit - spent]));
}

/** Whether a limit prevented even the first call of a model. Sentences may be quoted without a model. */
const isUnasked = ({ error, usage: { tokens } }: Result): boolean =>
  tokens.input + tokens.output === 0 && ['limit-calls', 'limit-tokens', 'limit-cost'].includes(error?.code ?? '');

function askAll(
  file: ChecksFile,
  paths: readonly string[],
  { flags, log, configuration: { settings } }: Settled,
  { stderr }: Invocation,
): Promise<CheckOutcome[]> {
  return underSignals({ hint: 'The checks so far are reported.' }, async (signal) => {
    const texts = new Map<string, KeptText>();
    const outcomes: CheckOutcome[] = [];
    try {
      for (const check of file.checks) {
        const asked = paths.length > 0 ? paths : (check.paths ?? file.paths ?? []);
        const key = JSON.stringify(asked);
        const text = texts.get(key) ?? createKeptText(asked);
        texts.set(key, text);
        const left = leftOf(flags, settings, outcomes);
        if (left === null) break;
        const configuration = loadConfiguration({ flags, settings: left });
        const outcome = await askCheck(check, text, { configuration, log }, signal);
        if (outcomes.length > 0 && left.size > 0 && isUnasked(outcome.result)) break;
        const sign = isPassed(outcome) ? stderr.style('green', '✓') : stderr.style('red', '✕');
        stderr.write(`rlm: ${sign} ${oneLine(outcome.name, 200)}\n`);
        outcomes.push(outcome);
        if (endsAll(outcome.result)) break;
      }
      return outcomes;
    } finally {
      for (const text of texts.values()) await text.close();
    }
  });
}

function textOf(outcomes: readonly CheckOutcome[], left: number): string {
  const lines = outcomes.flatMap((outcome) => {
    const { name, failures, result } = outcome;
    if (isPassed(outcome)) return `pass  ${oneLine(name, 200)}`;
    const answer = result.answer === null ? [] : [`answer: ${oneLine(result.answer, 300)}`];
    const why = [...failures.map((failure) => oneLine(failure, 500)), ...answer];
    return [`FAIL  ${oneLine(name, 200)}`, ...why.map((line) => `      ${line}`)];
  });
  const passed = outcomes.filter(isPassed).length;
  const skipped = left > 0 ? `, ${left} not asked` : '';
  return [...lines, `${passed} of ${counted(outcomes.length, 'check')} passed${skipped}`, ''].join('\n');
}

function statusOf(outcomes: readonly CheckOutcome[], notAsked: number): ExitCode {
  const failed = outcomes.find(({ result }) => result.error !== null);
  if (failed) return exitCodeOf(failed.result);
  // All limits have the same exit status.
  if (notAsked > 0) return errorCodes['limit-calls'].exit;
  return outcomes.every(isPassed) ? 0 : 7;
}

export async function runChecks(invocation: Invocation): Promise<ExitCode> {
  const { args, options, stdout, stderr, redactor } = invocation;
  const [path, given] = args as [string, readonly string[]];
  const file = readChecks(path);
  const read = given.length > 0 ? given : [...(file.paths ?? []), ...file.checks.flatMap(({ paths = [] }) => paths)];
  const junit = textOption(options, 'junit');
  const flags = settingFlags(options);
  const configuration = loadConfiguration({ flags });
  const logFile = configuration.settings.log.file;
  const summary = options['stepSummary'] === true ? summaryPath() : null;
  const written = [junit, logFile, summary].filter((file) => file !== null);
  checkDistinct({ outputFile: null, reports: [{ flag: '--junit', path: junit }] }, logFile);
  checkLog(logFile, [path, ...read]);
  await checkOutputs(written, [path, ...read], configuration);
  // Outputs are opened first, so that a wrong path ends the command before the first question.
  const sinks: (readonly [Sink, 'junit' | 'markdown'])[] = [];
  if (junit !== null) sinks.push([openOutputFile(junit, stdout, redactor), 'junit']);
  if (options['stepSummary'] === true) sinks.push([openSummary(invocation), 'markdown']);
  const log = logFile === null ? null : createLog(false, logFile);
  const outcomes = await askAll(file, given, { configuration, flags, log }, invocation);
  const notAsked = file.checks.length - outcomes.length;
  const passed = outcomes.filter(isPassed).length;
  const shown = { schemaVersion, passed, notAsked, checks: outcomes.map(listed) };
  stdout.write(options['json'] === true ? toJson(shown, 2) : textOf(outcomes, notAsked));
  const error = new RlmError('interrupted', 'the check was not asked', { hint: 'An earlier check ended the command.' });
  const others = file.checks.slice(outcomes.length).map((check): CheckOutcome => {
    return { name: check.name ?? check.question, result: failedResult(check.question, error), failures: ['not asked'] };
  });
  const writes = sinks.map(async ([sink, form]) => {
    sink.write(await renderChecks([...outcomes, ...others], form, path));
    await sink.close();
  });
  return (await reportUnwritten([...writes, log?.close()], stderr)) || statusOf(outcomes, notAsked);
}

const listOf = (value: string | readonly string[] = []): readonly string[] => [value].flat();

const plain = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();

/**
 * Whether a text contains `words`, but not as a part of a longer word or number: "know" does not contain "no", "6.2"
 * does not contain 6, and "1,204" does not contain 204.
 * @param from a pattern of what precedes the words; default: anything.
 */
function hasWords(text: string, words: string, from = ''): boolean {
  const [searched, wanted] = [plain(text), plain(words)];
  const literal = wanted.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const isLetter = (character: string) => /[\p{L}\p{N}]/u.test(character);
  const isGroup = /^\d{3}(?!\d)/.test(wanted);
  const before = isLetter(wanted[0]!) ? `(?<![\\p{L}\\p{N}]|\\d\\.${isGroup ? '|\\d,' : ''})` : '';
  const after = isLetter(wanted.at(-1)!) ? '(?![\\p{L}\\p{N}]|\\.\\d|,\\d{3}(?!\\d))' : '';
  return new RegExp(from + before + literal + after, 'u').test(searched);
}

function isCited({ citations }: Result, source: string): boolean {
  const isMatch = compilePathGlob(source);
  return citations.some((citation) => citation.source === source || isMatch(citation.source));
}

/** Returns a message for each expectation that an answer does not meet. */
export function failuresOf(check: CheckSpec, result: Result): string[] {
  const { answer, confidence } = result;
  if (answer === null) return ['there is no answer'];
  const { begins = '', minConfidence = -1 } = check;
  const prose = statedWords(answer, result).replace(/\[\d+\]/g, '');
  const isBegun = begins === '' || hasWords(prose, begins, '^[^\\p{L}\\p{N}]*');
  const isBelow = (confidence ?? -1) < minConfidence;
  return [
    ...(isBelow ? [`the ${confidenceName(result)} is ${confidence ?? 'unknown'}, below ${minConfidence}`] : []),
    ...(!isBegun ? [`the answer does not begin with "${begins}"`] : []),
    ...listOf(check.contains).flatMap((one) => (hasWords(prose, one) ? [] : [`the answer does not contain "${one}"`])),
    ...listOf(check.excludes).flatMap((one) => (hasWords(prose, one) ? [`the answer contains "${one}"`] : [])),
    ...listOf(check.cites).flatMap((one) => (isCited(result, one) ? [] : [`the answer does not cite ${one}`])),
  ];
}

const text = z.string().check(z.regex(/\S/, 'is empty'));
const texts = z.array(text);
const oneOrMore = z.union([text, texts], 'must be a text or a list of texts');
const globs = oneOrMore.check(({ value, issues }) => {
  try {
    for (const glob of listOf(value)) compilePathGlob(glob);
  } catch (error) {
    issues.push({ code: 'custom', message: (error as RlmError).message, input: value });
  }
});

const check = z.strictObject({
  question: text,
  name: z.optional(text),
  paths: z.optional(texts),
  minConfidence: z.optional(z.number().check(z.gte(0), z.lte(100))),
  begins: z.optional(text),
  contains: z.optional(oneOrMore),
  excludes: z.optional(oneOrMore),
  cites: z.optional(globs),
});

const file = z.strictObject({ paths: z.optional(texts), checks: z.array(check).check(z.minLength(1)) });

/** A question, with the expectations for its answer. */
export type CheckSpec = z.infer<typeof check>;

/** The checks of a file, and the paths for checks without paths of their own. */
export type ChecksFile = z.infer<typeof file>;

const invalid = (path: string, why: string): RlmError =>
  new RlmError('usage', `${path} is not a valid checks file: ${why}`, {
    hint: 'For example:\npaths: [CHANGELOG.md]\nchecks:\n  - question: Which breaking changes does 2.0 have?\n    contains: config format',
  });

function complaint({ issues: [issue] }: z.core.$ZodError): string {
  const place = issue!.path.map(String).join('.') || 'the file';
  if (issue!.code !== 'unrecognized_keys') return `${place}: ${expectation(issue)}`;
  const [key] = issue!.keys;
  const near = nearest(key!, Object.keys((issue!.path.length === 0 ? file : check).shape));
  return `${place} has the unknown key "${key}"${near === null ? '' : `; did you mean "${near}"?`}`;
}

/** Parses YAML. Keeps numbers and booleans as text (`1.50`), except in `minConfidence`. */
function readYaml(text: string): unknown {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) throw error;
  visit(document, {
    Pair: (_, { key }) => (isScalar(key) && key.value === 'minConfidence' ? visit.SKIP : undefined),
    Scalar(_, scalar) {
      if (typeof scalar.value === 'number' || typeof scalar.value === 'boolean') scalar.value = scalar.source;
    },
  });
  // The limit guards against aliases that expand a short file enormously.
  return document.toJS({ maxAliasCount: 100 });
}

/** Reads a file of checks in YAML or JSON. Throws RlmError `input-missing`; `usage` when its content is invalid. */
export function readChecks(path: string): ChecksFile {
  const missing = (message: string) =>
    new RlmError('input-missing', message, { hint: 'Give the path of a checks file.' });
  const text = readOwnTextIfAny(path, (why) => missing(`${path} cannot be read (${why})`));
  if (text === null) throw missing(`there is no file ${path}`);
  let value: unknown;
  try {
    value = readYaml(text);
  } catch (failure) {
    const [line = ''] = (failure as Error).message.split('\n');
    throw invalid(path, isStackFull(failure) ? 'it is nested too deeply' : line.replace(/:$/, ''));
  }
  const parsed = z.safeParse(file, value);
  if (!parsed.success) throw invalid(path, complaint(parsed.error));
  return parsed.data;
}
