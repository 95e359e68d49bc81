import { chooseEmbedder, inspectEmbedder } from '../choose-embedder.ts';
import { candidatesFor, isPassedOver, providers } from '../choose-provider.ts';
import { type Configuration, loadConfiguration } from '../config/layers.ts';
import { shownSetting } from '../config/login.ts';
import type { Settings } from '../config/settings.ts';
import { type ErrorInfo, type ExitCode, RlmError, toRlmError } from '../errors.ts';
import { loadTemplates } from '../prompts/template.ts';
import { withDeadline } from '../providers/abort.ts';
import type { ModelInfo, ModelSummary, Survey } from '../providers/provider.ts';
import type { Invocation } from './command.ts';
import { type Output, printable, toJson } from './terminal.ts';

const checkMs = 5_000;

/** One thing that was looked at. */
interface Check {
  readonly name: string;
  readonly state: 'ok' | 'note' | 'problem';
  readonly message: string;
  /** What to type to mend it; empty when nothing is to be done. */
  readonly fix: string;
}

interface Report {
  readonly checks: readonly Check[];
  readonly models: readonly ModelSummary[];
  /** Who would answer a question now; null when nobody would. */
  readonly answersWith: string | null;
  readonly error: ErrorInfo | null;
}

/** What became of looking at a provider. */
interface Looked {
  readonly info: ModelInfo | null;
  readonly survey: Survey | null;
  readonly error: ErrorInfo | null;
}

async function attempt<T>(work: () => Promise<T>): Promise<{ value: T | null; error: ErrorInfo | null }> {
  try {
    return { value: await work(), error: null };
  } catch (thrown) {
    return { value: null, error: toRlmError(thrown).toInfo() };
  }
}

function within<T>(ms: number, name: string, setting: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = () =>
    new RlmError('provider-unreachable', `${name} did not answer within ${ms / 1000} s`, {
      hint: `See that the server is well, and that its address is right: rlm config get ${setting}`,
    });
  return withDeadline(ms, late, new AbortController().signal, work);
}

async function lookAt(name: string, configuration: Configuration): Promise<Looked> {
  const made = await attempt(() => providers[name]!(configuration));
  const provider = made.value;
  if (provider === null) return { info: null, survey: null, error: made.error };
  const [inspected, surveyed] = await Promise.all([
    attempt(() => within(checkMs, name, 'ollama.host', (signal) => provider.inspect(signal))),
    attempt(async () =>
      provider.survey ? within(checkMs, name, 'ollama.host', (signal) => provider.survey!(signal)) : null,
    ),
  ]);
  return { info: inspected.value, survey: surveyed.value, error: inspected.error };
}

function nodeCheck(): Check {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isRecent = major > 20 || (major === 20 && minor >= 20);
  const message = `Node ${process.versions.node} on ${process.platform} ${process.arch}`;
  return {
    name: 'node',
    state: isRecent ? 'ok' : 'problem',
    message,
    fix: isRecent ? '' : 'Install Node 20.20 or later.',
  };
}

function configurationChecks({ files, warnings, values, origins }: Configuration): Check[] {
  const found = files.filter((file) => file.found && file.role !== 'shipped defaults').map(({ path }) => path);
  const own = [...origins].filter(([, origin]) => origin !== 'shipped defaults');
  const shown = (key: string) => JSON.stringify(shownSetting(key, values.get(key)));
  const set = own.map(([key, origin]) => `${key}=${shown(key)} (${origin})`);
  const message = `${found.join(', ') || 'shipped defaults only'}${set.length > 0 ? `; set: ${set.join(', ')}` : ''}`;
  return [
    { name: 'configuration', state: 'ok', message, fix: '' },
    ...warnings.map((warning): Check => ({ name: 'configuration', state: 'note', message: warning, fix: '' })),
  ];
}

async function promptsCheck({ settings }: Configuration): Promise<Check> {
  const { error } = await attempt(() => loadTemplates(settings.prompts));
  if (error) return { name: 'prompts', state: 'problem', message: error.message, fix: error.hint };
  return { name: 'prompts', state: 'ok', message: settings.prompts ?? 'the shipped ones', fix: '' };
}

/** Whether the search server answers and has what is to be searched, where one is configured. */
async function searchCheck(configuration: Configuration): Promise<Check[]> {
  const { server } = configuration.settings.retrieval;
  if (server === null) return [];
  const { findServer } = await import('../choose-retriever.ts');
  const open = (signal: AbortSignal) => findServer(server, { configuration, env: process.env, signal });
  const { value, error } = await attempt(() => within(checkMs, 'the search server', 'retrieval.server', open));
  if (error !== null) {
    const name = error.code === 'config-invalid' ? 'configuration' : 'search';
    return [{ name, state: 'problem', message: error.message, fix: error.hint }];
  }
  return [{ name: 'search', state: 'ok', message: `${value!.about}, ${value!.passages} passages`, fix: '' }];
}

function providerChecks(name: string, isNeeded: boolean, { info, survey, error }: Looked): Check[] {
  const server = survey ? [`${survey.version ? `version ${survey.version} ` : ''}answers at ${survey.address}`] : [];
  if (info === null) {
    const message = [...server, error?.message ?? 'not available'].join('; ');
    const fix = error?.hint.replace(' To see what answers: rlm doctor', '') ?? '';
    const isProblem = isNeeded || (error !== null && !isPassedOver(error));
    return [{ name, state: isProblem ? 'problem' : 'note', message, fix }];
  }
  const window = info.answersWithoutText
    ? `model ${info.model}, window up to ${info.maxWindowTokens} tokens`
    : 'ready; needs no model';
  const ready: Check = { name, state: 'ok', message: [...server, window].join('; '), fix: '' };
  return [ready, ...info.notices.map((message): Check => ({ name, state: 'note', message, fix: '' }))];
}

/** The embedding model, where one is set. */
async function embeddingChecks(configuration: Configuration): Promise<Check[]> {
  const { mode } = configuration.settings.retrieval;
  const name = 'embedding';
  const { value: embedder, error } = await attempt(() => chooseEmbedder(configuration, process.env));
  if (error) return [{ name, state: 'problem', message: error.message, fix: error.hint }];
  if (embedder === null) return [];
  const { signal } = new AbortController();
  const inspected = await attempt(() => inspectEmbedder(embedder, checkMs, signal));
  if (inspected.error) {
    // Where it only came about, words alone decide; where it was named, no question can be searched for.
    const state = ['auto', 'lexical'].includes(mode) ? 'note' : 'problem';
    return [{ name, state, message: inspected.error.message, fix: inspected.error.hint }];
  }
  const message = `model ${embedder.model} of ${embedder.name} at ${embedder.address}; retrieval is ${mode}`;
  const notices = inspected.value?.notices ?? [];
  return [
    { name, state: 'ok', message, fix: '' },
    ...notices.map((notice): Check => ({ name, state: 'note', message: notice, fix: '' })),
  ];
}

/** Who would answer now, or why nobody would. */
function answerer(settings: Settings, looked: ReadonlyMap<string, Looked>): Pick<Report, 'answersWith' | 'error'> {
  let error: ErrorInfo | null = null;
  for (const name of candidatesFor(settings)) {
    const found = looked.get(name);
    if (found?.info) return { answersWith: name, error: null };
    error = found?.error ?? null;
    if (error && !isPassedOver(error)) break;
  }
  return { answersWith: null, error };
}

/** Looks at everything that a run needs. */
async function examine(configuration: Configuration): Promise<Report> {
  const names = Object.keys(providers);
  const [prompts, search, embedding, ...all] = await Promise.all([
    promptsCheck(configuration),
    searchCheck(configuration),
    embeddingChecks(configuration),
    ...names.map((name) => lookAt(name, configuration)),
  ]);
  const looked = new Map(names.map((name, index) => [name, all[index]!]));
  const { settings } = configuration;
  const [wanted, other] = candidatesFor(settings);
  const isNeeded = (name: string) => other === undefined && wanted === name;
  const checks = [...looked].flatMap(([name, found]) => providerChecks(name, isNeeded(name), found));
  return {
    checks: [nodeCheck(), ...configurationChecks(configuration), prompts, ...checks, ...embedding, ...search],
    models: [...looked.values()].flatMap(({ survey }) => survey?.models ?? []),
    ...answerer(settings, looked),
  };
}

/** The report when there is no configuration to go by: the rest depends on it. */
function reportBroken(error: RlmError): Report {
  const { message, hint: fix } = error;
  const broken: Check = { name: 'configuration', state: 'problem', message, fix };
  return { checks: [nodeCheck(), broken], models: [], answersWith: null, error: error.toInfo() };
}

async function lookAround(): Promise<Report> {
  let configuration: Configuration;
  try {
    configuration = loadConfiguration();
  } catch (thrown) {
    const error = toRlmError(thrown);
    if (error.exitCode !== 3) throw thrown;
    return reportBroken(error);
  }
  return configuration.redactor.value(await examine(configuration));
}

const signs = { ok: ['green', '✔'], note: ['yellow', '!'], problem: ['red', '✘'] } as const;

function modelLine({ name, sizeBytes, capabilities, windowTokens }: ModelSummary): string {
  const size = sizeBytes === null ? '' : `${(sizeBytes / 1e9).toFixed(1)} GB`;
  const window = windowTokens === null ? '' : `${windowTokens} tokens`;
  const use = capabilities.includes('completion') || capabilities.length === 0 ? '' : 'cannot chat';
  return `    ${name}  ${[size, window, capabilities.join(', '), use].filter(Boolean).join(' · ')}\n`;
}

function render({ checks, models, answersWith: who }: Report, stdout: Output): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.map(({ name, state, message, fix }) => {
    const [color, sign] = signs[state];
    const next = fix ? `  ${' '.repeat(width + 2)}→ ${printable(fix)}\n` : '';
    return `${stdout.style(color, sign)} ${name.padEnd(width)}  ${printable(message)}\n${next}`;
  });
  const list = models.length > 0 ? `\nModels:\n${models.map(modelLine).join('')}` : '';
  const end = who === null ? 'No question can be answered now.' : `A question would be answered by ${who}.`;
  return `${lines.join('')}${printable(list)}\n${end}\n`;
}

/** Runs `rlm doctor`. The status is 0 when a question would be answered, 3 for a wrong configuration, else 4. */
export async function runDoctor({ options, stdout }: Invocation): Promise<ExitCode> {
  const report = await lookAround();
  stdout.write(options['json'] === true ? toJson(report, 2) : render(report, stdout));
  const isMisconfigured = ({ name, state }: Check) =>
    state === 'problem' && (name === 'prompts' || name === 'configuration');
  if (report.checks.some(isMisconfigured) || report.error?.code === 'config-invalid') return 3;
  const isUnsearchable = report.checks.some(({ name, state }) => state === 'problem' && name === 'search');
  return report.answersWith === null || isUnsearchable ? 4 : 0;
}
