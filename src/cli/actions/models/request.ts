import type { Provider, Settings } from '../../../index.ts';
import type { Invocation } from '../../command.ts';
import { printable } from '../../terminal.ts';

/** What an action works with. */
export interface Request extends Pick<Invocation, 'stdout' | 'stderr'> {
  readonly settings: Settings;
  /** The name of the provider whose models are meant. */
  readonly name: string;
  readonly provider: Provider;
  readonly signal: AbortSignal;
  readonly asJson: boolean;
}

/** Says a line to the user. */
export const say = ({ stderr }: Pick<Request, 'stderr'>, line: string) => stderr.write(`rlm: ${printable(line)}\n`);
