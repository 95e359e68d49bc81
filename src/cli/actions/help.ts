import { nearest } from '../../base/nearest.ts';
import { type ExitCode, exitCodes, RlmError } from '../../errors.ts';
import { settingsByKey } from '../../index.ts';
import type { Invocation } from '../command.ts';

/** Two columns, the second behind the longest first. */
function definitions(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, about]) => `  ${name.padEnd(width)}  ${about}\n`).join('');
}

function exitCodesText(): string {
  const rows = Object.entries(exitCodes).map(([code, about]) => [code, about] as const);
  return `Exit statuses of rlm:\n\n${definitions(rows)}\nA reader that closes the output early (| head -1) is no error: the status is 0.\n`;
}

const otherVariables: readonly (readonly [string, string])[] = [
  ['OLLAMA_API_KEY', 'the key for models at https://ollama.com; sent nowhere else'],
  ['NO_COLOR', 'no colour, when set to anything'],
  ['FORCE_COLOR', 'colour also where the output is no terminal, unless set to 0'],
  ['TERM', 'dumb: no colour and no live tree'],
  ['XDG_CONFIG_HOME', 'where your own configuration lies, in rlm/config.json; default: ~/.config'],
  ['XDG_CACHE_HOME', 'where replies and compiled code are kept, in rlm/; default: ~/.cache'],
  ['NODE_DISABLE_COMPILE_CACHE', 'keep no compiled code, when set to anything'],
];

function environmentText(): string {
  const rows = [...settingsByKey].flatMap(([key, { env, about }]) =>
    env.map((name) => [name, `${about} (${key})`] as const),
  );
  return [
    'Variables that set a setting. A flag wins over them; they win over ./rlm.config.json and your own file:\n',
    definitions(rows),
    'Other variables:\n',
    definitions(otherVariables),
    'Values of variables named …KEY, …TOKEN, …SECRET, …PASSWORD, …PASSWD, …CREDENTIALS or …AUTH, and logins in addresses, are shown',
    'and kept nowhere: [secret] stands in their place.\n',
  ].join('\n');
}

async function outputText(): Promise<string> {
  const { eventsAbout, resultFieldsAbout } = await import('../output/output-schemas.ts');
  return [
    'stdout holds the answer and nothing else; progress, notes and errors go to stderr.\n',
    '--format text (default): the answer with marks such as [1], then its sources with file and lines.\n',
    '--json: one object, also when the run fails:\n',
    definitions(resultFieldsAbout),
    '--format ndjson: one event a line, flushed as it happens. Types:\n',
    definitions(eventsAbout),
    '--dry-run with --json or --format ndjson: one object that says what would be done, and no result.\n',
    'JSON Schemas: result, event and dry-run in dist/schemas/ of the package, each as NAME.schema.json.\n',
  ].join('\n');
}

/** The topics of `rlm help`, each made from the table that the code itself uses. */
export const topics: Readonly<Record<string, () => string | Promise<string>>> = {
  'exit-codes': exitCodesText,
  environment: environmentText,
  output: outputText,
};

/**
 * Runs `rlm help <topic>`. `rlm help` alone and `rlm help <command>` are the same as `--help` and do not come here.
 * @throws RlmError `usage` for an unknown topic.
 */
export async function runHelp({ args, stdout }: Invocation): Promise<ExitCode> {
  const topic = String(args[0]);
  const known = Object.hasOwn(topics, topic) ? topics[topic] : undefined;
  if (known) {
    stdout.write(await known());
    return 0;
  }
  const near = nearest(topic, Object.keys(topics));
  throw new RlmError('usage', `there is no help on "${topic}"`, {
    hint: near ? `Did you mean "rlm help ${near}"?` : `Topics: ${Object.keys(topics).join(', ')}.`,
  });
}
