import { type ExitCode, RlmError } from '../../../errors.ts';
import type { Invocation } from '../../command.ts';
import { configured } from '../../configured.ts';
import { watchSignals } from '../../follow-run.ts';
import { outputFileOf } from '../../output/output-options.ts';
import { settingFlags } from '../../setting-flags.ts';
import { printable } from '../../terminal.ts';
import { amountOf, listOf } from './eval-options.ts';

const longest = 10_000_000;

/** Parses a length in tokens: `8k`, `1m` or `2000`. Throws RlmError `usage`. */
function lengthOf(text: string): number {
  const [, digits, unit = ''] = /^(\d{1,8})([km]?)$/i.exec(text) ?? [];
  const tokens = Number(digits) * ({ k: 1_000, m: 1_000_000 }[unit.toLowerCase()] ?? 1);
  if (tokens >= 500 && tokens <= longest) return tokens;
  throw new RlmError('usage', `--tokens cannot be "${text}"`, {
    hint: 'Give lengths of at least 500: --tokens 8k,32k,128k',
  });
}

const defaultTokens = '8k';
const defaultSamples = 20;
const mostSamples = 10_000;

function samplesOf(options: Invocation['options']): number {
  const count = amountOf(options, 'samples', '--samples') ?? defaultSamples;
  if (Number.isSafeInteger(count) && count >= 1 && count <= mostSamples) return count;
  throw new RlmError('usage', `--samples cannot be "${options['samples']}"`, {
    hint: `Give an integer from 1 to ${mostSamples}.`,
  });
}

/** Runs `rlm eval make`. */
export async function runMake(invocation: Invocation): Promise<ExitCode> {
  const { args, options, stdout, stderr } = invocation;
  const [kind, ...haystack] = (args[1] as string[] | undefined) ?? [];
  const { makeTasks, taskKinds } = await import('../../../eval/index.ts');
  if (kind === undefined)
    throw new RlmError('usage', 'rlm eval make needs a kind of task', {
      hint: `The kinds are ${taskKinds.join(', ')}.`,
    });
  const configuration = configured(invocation, { flags: settingFlags(options) });
  const controller = new AbortController();
  const stopWatching = watchSignals(controller, '');
  try {
    const { questions, samples, perToken } = await makeTasks({
      kind,
      haystack,
      tokens: listOf(options['tokens'] ?? defaultTokens).map(lengthOf),
      samples: samplesOf(options),
      seed: configuration.settings.seed ?? 1,
      output: outputFileOf(options) ?? `eval-${kind}`,
      configuration,
      counts: options['countTokens'] === true,
      signal: controller.signal,
    });
    stdout.write(`${questions}\n`);
    const counted = options['countTokens'] === true ? 'counted by the model' : 'estimated';
    const about = `${samples} questions; a token has ${perToken.toFixed(1)} characters, ${counted}`;
    stderr.write(`rlm: ${printable(about)}\n     Next: rlm eval ${printable(questions)}\n`);
    return 0;
  } finally {
    stopWatching();
  }
}
