import { createProcessRedactor, type Redactor } from '../index.ts';

function hostsIn(args: readonly string[]): string[] {
  return args.flatMap((arg, index) => {
    if (arg.startsWith('--host=')) return [arg.slice('--host='.length)];
    return args[index - 1] === '--host' ? [arg] : [];
  });
}

/** Creates the redactor of stdout, stderr and the output file. The files that a run writes are already redacted. */
export const redactorOfProcess = (args: readonly string[]): Redactor =>
  createProcessRedactor({ env: process.env, args, addresses: hostsIn(args) });
