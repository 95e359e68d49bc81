import { untilAborted } from '../../base/abort.ts';
import { type ExitCode, kindOf, RlmError, toRlmError } from '../../errors.ts';
import { type ConfiguredProvider, configuredProvider, loadConfiguration, preferredProvider } from '../../index.ts';
import { type Output, printable } from '../terminal.ts';

/** The longest wait for a server, in ms. */
const serverMs = 800;

const late = (ms: number) =>
  new RlmError('provider-unreachable', `Ollama did not answer within ${ms / 1000} s`, {
    hint: 'To wait longer: rlm doctor',
  });

/** Checks that the server has the model that would answer. */
async function checkOllama({ open }: ConfiguredProvider, ms: number): Promise<string> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(late(ms)), ms);
  const inspecting = open().then((provider) => provider.inspect(limit.signal));
  try {
    return `Ollama is running and has ${(await untilAborted(inspecting, limit.signal)).model}.`;
  } finally {
    clearTimeout(timer);
  }
}

/** Describes the state of this machine, with a hint below it when there is a problem. Connects only to Ollama. */
async function machineState(ms: number): Promise<string> {
  try {
    const configured = configuredProvider(loadConfiguration());
    const { name, isReplaceable } = configured;
    if (name !== preferredProvider) return `the provider is ${name}. To check whether it is ready: rlm doctor`;
    return await checkOllama(configured, ms).catch((thrown: unknown) => {
      const error = toRlmError(thrown);
      const isReplaced = isReplaceable && kindOf(error) === 'unavailable';
      return `${error.message}${isReplaced ? '; without it, answers are quotes from the text' : ''}.\n  ${error.hint}`;
    });
  } catch (thrown) {
    const { message, hint } = toRlmError(thrown);
    return `${message}.\n  ${hint}`;
  }
}

const page = (state: string, { style }: Pick<Output, 'style'>) => `${style('bold', 'rlm')} \
answers questions over more text than a language model can read, and shows its evidence.

  $ rlm "What failed first, and why?" logs/          ask about files and folders
  $ cat build.log | rlm "What failed first?"         ask about piped text
  $ rlm "Which settings are read where?" src/ --report page.html

${style('bold', 'This machine:')} ${state}

More: rlm --help (commands), rlm ask --help (options), rlm doctor (what is missing)
`;

/** Prints the page of `rlm` without arguments. Never fails, because the page shows any problem. */
export async function runStartPage(stdout: Pick<Output, 'style' | 'write'>, ms = serverMs): Promise<ExitCode> {
  stdout.write(page(printable(await machineState(ms)), stdout));
  return 0;
}
