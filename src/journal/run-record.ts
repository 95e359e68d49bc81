import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { Configuration } from '../config/layers.ts';
import { hasLogin, isAddress, shownSetting } from '../config/login.ts';
import { settingsByKey } from '../config/settings.ts';
import type { Document } from '../context/document.ts';
import { RlmError } from '../errors.ts';
import type { Templates } from '../prompts/template.ts';
import type { ModelInfo } from '../providers/provider.ts';
import { journalVersion, type RecordedDocument, type RunRecord } from './records.ts';

/** What a run is recognised by. */
export interface RunFacts {
  readonly runId: string;
  readonly task: string;
  readonly cwd: string;
  readonly paths: readonly string[];
  readonly written: readonly string[];
  readonly given: number;
  readonly documents: readonly Document[];
  readonly provider: string;
  readonly model: ModelInfo;
  readonly configuration: Pick<Configuration, 'values' | 'given' | 'redactor'>;
  readonly templates: Templates;
}

const hashOf = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex').slice(0, 32);

/** Hashing a large text takes as long as a call may have waited for: other work gets its turn in between. */
async function hashDocuments(documents: readonly Document[]): Promise<RecordedDocument[]> {
  const hashed: RecordedDocument[] = [];
  let bytesSinceTurn = 0;
  for (const { name, bytes } of documents) {
    hashed.push({ name, bytes: bytes.length, hash: hashOf(bytes) });
    bytesSinceTurn += bytes.length;
    if (bytesSinceTurn > 4_000_000) {
      await turn();
      bytesSinceTurn = 0;
    }
  }
  return hashed;
}

/** An address with a login is not recorded: a run that goes on takes the one that is configured then, or given again. */
const withoutLogins = (given: ReadonlyMap<string, unknown>): Record<string, unknown> =>
  Object.fromEntries([...given].filter(([key, value]) => !isAddress(key) || !hasLogin(String(value))));

/** The given texts in which a secret stands, by name. */
function secretTexts({ documents, given, configuration: { redactor } }: RunFacts): string[] {
  if (redactor.isIdle) return [];
  const holdsSecret = ({ bytes }: Document) => {
    const text = new TextDecoder().decode(bytes);
    return redactor.text(text) !== text;
  };
  return documents
    .slice(0, given)
    .filter(holdsSecret)
    .map(({ name }) => redactor.text(name));
}

/** What differs between a record and the same without secrets. */
function withheldFrom(record: RunRecord, redacted: RunRecord): string[] {
  if (record === redacted) return [];
  const isTaskAlone = redacted.task !== record.task && shown({ ...redacted, task: record.task }) === shown(record);
  return [...(redacted.task === record.task ? [] : ['the question']), ...(isTaskAlone ? [] : ['a name or a setting'])];
}

/** The first record of a run, without secrets. */
export async function createRunRecord(facts: RunFacts): Promise<RunRecord> {
  const { documents, configuration, templates, cwd, ...rest } = facts;
  const shaping = [...configuration.values].filter(([key]) => !settingsByKey.get(key)!.mayChange);
  const record: RunRecord = {
    type: 'run',
    version: journalVersion,
    at: new Date().toISOString(),
    ...rest,
    cwd: resolve(cwd),
    documents: await hashDocuments(documents),
    settings: Object.fromEntries(shaping.map(([key, value]) => [key, shownSetting(key, value)])),
    flags: withoutLogins(configuration.given),
    prompts: Object.fromEntries(
      Object.entries(templates).map(([name, words]) => [name, hashOf(JSON.stringify(words))]),
    ),
  };
  const redacted = configuration.redactor.value(record);
  const withheld = [...withheldFrom(record, redacted), ...secretTexts(facts)];
  return withheld.length === 0 ? redacted : { ...redacted, withheld };
}

/** Why a run cannot go on, for its warning and its error. */
export const nameWithheld = (withheld: readonly string[]): string =>
  `a secret stands in ${withheld.join(' and ')}, and secrets are not recorded`;

const shown = (value: unknown): string => JSON.stringify(value) ?? 'nothing';

/** Named differences between two records of the same kind of thing. */
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

const byName = (documents: readonly RecordedDocument[]) =>
  Object.fromEntries(documents.map(({ name, hash }) => [name, hash]));

const sayDocument = (name: string, before: unknown, after: unknown): string =>
  before === undefined ? `${name} is new` : after === undefined ? `${name} is gone` : `${name} has changed`;

const sayValue = (name: string, before: unknown, after: unknown): string =>
  `${name} was ${shown(before)} and is ${shown(after)}`;

const modelFacts = ({ provider, model }: RunRecord) => ({
  provider,
  model: model.model,
  'the version of the model': model.digest,
  'the window of the model': model.maxWindowTokens,
  'structured output': model.structuredOutput,
});

/** What has changed since a run was recorded, each thing by its name. */
export function changesSince(before: RunRecord, after: RunRecord): string[] {
  return [
    ...differences(byName(before.documents), byName(after.documents), sayDocument),
    ...differences(modelFacts(before), modelFacts(after), sayValue),
    ...differences(before.settings, after.settings, sayValue),
    ...differences(before.prompts, after.prompts, (name) => `the ${name} prompt has changed`),
  ];
}

const namedChanges = 5;

/** The error for a run whose recorded calls do not hold any more. */
export function changedRun(runId: string, changes: readonly string[]): RlmError {
  const more = changes.length - namedChanges;
  const list = [...changes.slice(0, namedChanges), ...(more > 0 ? [`and ${more} more changes`] : [])].join('; ');
  return new RlmError('run-changed', `run ${runId} cannot go on as it was: ${list}`, {
    hint: `Change it back, or: rlm resume ${runId} --force (makes those calls again that the change touches).`,
  });
}
