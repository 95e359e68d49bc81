import type { Provider, Settings } from '../../../index.ts';
import type { Invocation } from '../../command.ts';
import { printable } from '../../terminal.ts';

/** The input and output of an action. */
export interface Request extends Pick<Invocation, 'stdout' | 'stderr'> {
  readonly settings: Settings;
  /** The name of the provider that serves the models. */
  readonly name: string;
  readonly provider: Provider;
  readonly signal: AbortSignal;
  readonly asJson: boolean;
}

/** Writes a line for the user to stderr. */
export const say = ({ stderr }: Pick<Request, 'stderr'>, line: string) => stderr.write(`rlm: ${printable(line)}\n`);
