import { resolve } from 'node:path';
import { sha256 } from '../base/sha256.ts';
import { listed } from '../base/text.ts';
import { createPacer } from '../base/time.ts';
import type { Configuration } from '../config/layers.ts';
import { hasLogin, isAddress, isSecret, shownSetting } from '../config/login.ts';
import { settingsByKey } from '../config/settings.ts';
import type { ContextStore } from '../context/document.ts';
import { hashText, windowsOf } from '../context/passage-id.ts';
import { RlmError } from '../errors.ts';
import type { Templates } from '../prompts/template.ts';
import type { Role } from '../roles/role.ts';
import type { Redactor } from '../secrets/redactor.ts';
import type { EarlierAnswer } from '../state.ts';
import { journalVersion, type RecordedDocument, type RecordedRouting, type RunRecord } from './journal.ts';

export interface RunFacts
  extends Pick<RunRecord, 'runId' | 'task' | 'cwd' | 'paths' | 'written' | 'given' | 'provider' | 'model' | 'partOf'> {
  readonly earlier: readonly EarlierAnswer[];
  readonly index: string | null;
  readonly store: ContextStore;
  /** Documents that enter the store during the run, after a model has read their pages. */
  readonly scans: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  /** Null if the run has only one model. */
  readonly routing: RecordedRouting | null;
  readonly configuration: Pick<Configuration, 'values' | 'given' | 'redactor'>;
  readonly templates: Templates;
  readonly role: Role | null;
}

const hashOf = (data: string | Uint8Array): string => sha256(data, 32);

/** Returns the documents with their hashes. The scans come last, so that the given texts keep their positions. */
async function hashDocuments({ store, scans }: Pick<RunFacts, 'store' | 'scans'>): Promise<RecordedDocument[]> {
  const hashed: RecordedDocument[] = [];
  const scanned = new Set(scans.map(({ name }) => name));
  const pace = createPacer(10);
  for (const [document, { lines: _, ...info }] of store.documents.entries()) {
    if (scanned.has(info.name)) continue;
    hashed.push({ ...info, hash: store.hash?.(document) ?? (await hashText(store, document, pace)) });
  }
  return [...hashed, ...scans.map(({ name, bytes }) => ({ name, bytes: bytes.length, hash: hashOf(bytes) }))];
}

const hasSecretValue = ([key, value]: readonly [string, unknown]): boolean =>
  isSecret(key) || (isAddress(key) && hasLogin(String(value)));

/**
 * Returns the flags, except secrets and addresses that contain a login. For the settings that are left out, a resumed
 * run uses the configured values or new flags.
 */
function recordedFlags(given: ReadonlyMap<string, unknown>): Pick<RunRecord, 'flags' | 'unrecorded'> {
  const unrecorded = [...given].filter(hasSecretValue).map(([key]) => key);
  const flags = Object.fromEntries([...given].filter((entry) => !hasSecretValue(entry)));
  return { flags, ...(unrecorded.length > 0 && { unrecorded }) };
}

/** Returns the names of the given texts (from programs or pipes) that contain a secret. */
async function secretTexts({ store, given, configuration: { redactor } }: RunFacts): Promise<string[]> {
  const names: string[] = [];
  for (let document = 0; document < given && !redactor.isIdle; document++) {
    if (await holdsSecret(store, document, redactor)) names.push(redactor.text(store.documents[document]!.name));
  }
  return names;
}

const longestSecretBytes = 64 * 1024;

async function holdsSecret(store: ContextStore, document: number, redactor: Redactor): Promise<boolean> {
  const pace = createPacer(10);
  for (const window of windowsOf(store, document, longestSecretBytes)) {
    const text = new TextDecoder().decode(window);
    if (redactor.text(text) !== text) return true;
    await pace();
  }
  return false;
}

function withheldFrom(record: RunRecord, redacted: RunRecord): string[] {
  if (record === redacted) return [];
  const { task, earlier } = record;
  return [
    ...(redacted.task === task ? [] : ['the question']),
    ...(shown(redacted.earlier) === shown(earlier) ? [] : ['an earlier question or answer']),
    ...(shown({ ...redacted, task, earlier }) === shown(record) ? [] : ['a name or a setting']),
  ];
}

/** Creates the first record of a run, without secrets. */
export async function createRunRecord(facts: RunFacts): Promise<RunRecord> {
  const { store, scans, configuration, templates, role, cwd, earlier, ...rest } = facts;
  const shaping = [...configuration.values].filter(([key]) => !settingsByKey.get(key)!.mayChange);
  const spoken = Object.entries({ ...templates, ...(role && { role: { ...role, path: '' } }) });
  const record: RunRecord = {
    ...{ type: 'run', version: journalVersion, at: new Date().toISOString() },
    ...rest,
    ...(earlier.length > 0 ? { earlier } : {}),
    cwd: resolve(cwd),
    documents: await hashDocuments({ store, scans }),
    settings: Object.fromEntries(shaping.map(([key, value]) => [key, shownSetting(key, value)])),
    ...recordedFlags(configuration.given),
    prompts: Object.fromEntries(spoken.map(([name, words]) => [name, hashOf(JSON.stringify(words))])),
  };
  const redacted = configuration.redactor.value(record);
  const withheld = [...withheldFrom(record, redacted), ...(await secretTexts(facts))];
  return withheld.length === 0 ? redacted : { ...redacted, withheld };
}

/** Returns why a run with a secret cannot be resumed. The warning and the error contain this text. */
export const nameWithheld = (withheld: readonly string[]): string =>
  `there is a secret in ${withheld.join(' and ')}, and secrets are not recorded`;

const shown = (value: unknown): string => JSON.stringify(value) ?? 'nothing';

function differences(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  say: (name: string, before: unknown, after: unknown) => string,
): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => shown(before[name]) !== shown(after[name]))
    .map((name) => say(name, before[name], after[name]));
}

const sayDocument = (name: string, before: unknown, after: unknown): string =>
  before === undefined ? `${name} is new` : after === undefined ? `${name} is gone` : `${name} has changed`;

const sayValue = (name: string, before: unknown, after: unknown): string =>
  `${name} was ${shown(before)} and is ${shown(after)}`;

const sayPrompt = (name: string): string => `the ${name === 'role' ? name : `${name} prompt`} has changed`;

/** Returns facts about a model, by name. `reference` names a model other than the run's own. */
const modelFacts = ({ provider, model }: Pick<RunRecord, 'provider' | 'model'>, reference = '') => ({
  [`provider${reference}`]: provider,
  [`model${reference}`]: model.model,
  [`the version of the model${reference}`]: model.digest,
  [`the window of the model${reference}`]: model.maxWindowTokens,
  [`structured output${reference}`]: model.structuredOutput,
});

const documentsIn = ({ documents }: RunRecord) => Object.fromEntries(documents.map(({ name, hash }) => [name, hash]));

function valuesIn({ routing, settings, ...main }: RunRecord): Readonly<Record<string, unknown>> {
  const routed = Object.entries(routing?.models ?? {}).map(([name, model]) => modelFacts(model, ` (${name})`));
  return { ...Object.assign(modelFacts(main), ...routed), 'the choice of models': routing?.routes ?? [], ...settings };
}

export function changesSince(before: RunRecord, after: RunRecord): string[] {
  return [
    ...differences(documentsIn(before), documentsIn(after), sayDocument),
    ...differences(valuesIn(before), valuesIn(after), sayValue),
    ...differences(before.prompts, after.prompts, sayPrompt),
  ];
}

const namedChanges = 5;

export function changedRun(runId: string, changes: readonly string[]): RlmError {
  const list = listed(changes.slice(0, namedChanges), changes.length - namedChanges, 'change', '; ');
  return new RlmError('run-changed', `run ${runId} cannot be resumed because of changes: ${list}`, {
    hint: `Undo the changes, or: rlm resume ${runId} --force (repeats the calls that depend on them).`,
  });
}
