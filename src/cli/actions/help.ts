import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nearest } from '../../base/nearest.ts';
import { textTable } from '../../base/text.ts';
import { packageRoot } from '../../config/folders.ts';
import { settingsByKey } from '../../config/settings.ts';
import { type ExitCode, exitCodes, RlmError, warningCodes } from '../../errors.ts';
import type { Invocation } from '../command.ts';
import type { Output } from '../terminal.ts';

const definitions = (rows: readonly (readonly [string, string])[]): string => textTable(rows).replace(/^(?=.)/gm, '  ');

const wrapped = (list: string): string => list.replace(/(.{1,117})(?:\s|$)/g, '  $1\n');

function exitCodesText(): string {
  const rows = Object.entries(exitCodes).map(([code, about]) => [code, about] as const);
  return `Exit statuses of rlm:\n\n${definitions(rows)}\nWhen the program that reads the output closes it early (| head -1), the status is 0.\n`;
}

const otherVariables: readonly (readonly [string, string])[] = [
  ['OLLAMA_API_KEY', 'the key for models at https://ollama.com; sent nowhere else'],
  ['NO_COLOR', 'no colour, when set and not empty'],
  ['FORCE_COLOR', 'colour even when the output is not a terminal, unless the value is 0'],
  ['TERM', 'dumb: no colour and no live tree'],
  ['XDG_CONFIG_HOME', 'folder that contains your own configuration, rlm/config.json; default: ~/.config'],
  [
    'XDG_CACHE_HOME',
    'folder that contains kept replies and compiled code, in rlm/; not used if RLM_HOME is set; default: ~/.cache',
  ],
  ['NODE_DISABLE_COMPILE_CACHE', 'keep no compiled code, when set and not empty'],
];

function environmentText(): string {
  const rows = [...settingsByKey].flatMap(([key, { env, about }]) =>
    env.map((name) => [name, `${about} (${key})`] as const),
  );
  const users = [...settingsByKey].filter(([, { from }]) => from === 'user').map(([key]) => key);
  return [
    'Variables for settings. A flag takes precedence over its variable, and a variable over ./rlm.config.json and your own file:\n',
    definitions(rows),
    'Settings that ./rlm.config.json may set only if you trust the project (trustedProjects in your own file):\n',
    wrapped(users.join(', ')),
    'Other variables:\n',
    definitions(otherVariables),
    'Secrets are never shown or stored; [secret] replaces them. Secrets are logins in addresses, and values of 8 characters or more',
    'of variables whose names contain KEY, TOKEN, SECRET, PASSWORD, PASSWD, CREDENTIALS or AUTH.\n',
  ].join('\n');
}

interface ShippedSchema {
  readonly properties: Readonly<Record<string, { readonly description?: string }>>;
  readonly anyOf?: readonly { readonly properties: { readonly type: { description?: string; const?: string } } }[];
}

const readSchema = async (name: string): Promise<ShippedSchema> =>
  JSON.parse(await readFile(join(packageRoot, 'schemas', `${name}.schema.json`), 'utf8')) as ShippedSchema;

const aboutOf = ({ description = '' }: { readonly description?: string }): string => description.replace(/\s+/g, ' ');

/** Returns the fields of the result and the types of events, each with its description in the schemas. */
export async function describeOutput() {
  const [result, event] = await Promise.all([readSchema('result'), readSchema('event')]);
  return {
    fields: Object.entries(result.properties).map(([name, field]) => [name, aboutOf(field)] as const),
    events: event.anyOf!.map(({ properties: { type } }) => [type.const!, aboutOf(type)] as const),
  };
}

async function outputText(): Promise<string> {
  const { fields, events } = await describeOutput();
  return [
    'stdout holds the answer and nothing else; progress, notes and errors go to stderr.\n',
    '--format text (default): the answer with marks such as [1], then its sources with file and lines.\n',
    '--json: one object, even when the run fails:\n',
    definitions(fields),
    'Warning codes (in warningCodes of the result, and in code of warning events):\n',
    definitions(Object.entries(warningCodes)),
    '--format ndjson: one event per line, flushed immediately. Types:\n',
    definitions(events),
    '--dry-run with --json or --format ndjson: one object that describes the planned run, without a result.\n',
    'JSON Schemas: result, event, dry-run, query and tables in schemas/ of the package, each as NAME.schema.json.\n',
    'A command with --json that fails prints a result with an error.\n',
  ].join('\n');
}

/** The topics of `rlm help`. */
export const topics: Readonly<Record<string, () => string | Promise<string>>> = {
  'exit-codes': exitCodesText,
  environment: environmentText,
  output: outputText,
};

/** Explains a topic. Throws RlmError `usage` for an unknown topic. */
export async function runHelp({ args, stdout }: Invocation): Promise<ExitCode> {
  const topic = String(args[0]);
  const known = Object.hasOwn(topics, topic) ? topics[topic] : undefined;
  if (known) {
    stdout.write(await known());
    return 0;
  }
  const near = nearest(topic, Object.keys(topics));
  throw new RlmError('usage', `unknown help topic "${topic}"`, {
    hint: near ? `Did you mean "rlm help ${near}"?` : `The topics are ${Object.keys(topics).join(', ')}.`,
  });
}

const page = ({ style }: Pick<Output, 'style'>) => `${style('bold', 'rlm')} \
answers questions about more text than a language model can read, and shows the evidence.

  $ rlm "What failed first, and why?" logs/          ask about files and folders
  $ cat build.log | rlm "What failed first?"         ask about piped text
  $ rlm "Which settings are read where?" src/ --report page.html

rlm doctor shows which models answer on this machine, and what is missing.
More: rlm --help (commands), rlm ask --help (options)
`;

export function runStartPage(stdout: Pick<Output, 'style' | 'write'>): ExitCode {
  stdout.write(page(stdout));
  return 0;
}
