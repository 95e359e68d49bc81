import { type ExitCode, RlmError } from '../../errors.ts';
import { renderDescription } from '../../index.ts';
import type { Invocation } from '../command.ts';
import { printable, toJson } from '../terminal.ts';
import { withContext } from './with-context.ts';

/** The maximum length of the description, in bytes, which is the same as in a prompt. */
const shownBytes = 4_500;

/** Runs `rlm describe`. */
export function runDescribe(invocation: Invocation): Promise<ExitCode> {
  const { args, options, stdout } = invocation;
  return withContext(invocation, (args[0] as string[] | undefined) ?? [], (context) => {
    const description = context.describe();
    if (description.documents === 0) {
      const hint = 'Give files (rlm describe src/) or pipe text in (cat build.log | rlm describe).';
      throw new RlmError('no-text', 'there is no text to describe', { hint });
    }
    stdout.write(
      options['json'] === true ? toJson(description, 2) : `${printable(renderDescription(description, shownBytes))}\n`,
    );
    return 0;
  });
}
