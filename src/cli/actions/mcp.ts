import type { ExitCode } from '../../errors.ts';
import { serveOverStdio } from '../../mcp/stdio.ts';
import type { Invocation } from '../command.ts';
import { watchSignals } from '../follow-run.ts';
import { settingFlags } from '../setting-flags.ts';

declare const RLM_VERSION: string;

const listOf = (value: unknown): string[] =>
  String(value ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** Runs `rlm mcp`. */
export async function runMcp({ args, options }: Invocation): Promise<ExitCode> {
  const { tools, ...others } = options;
  const paths = (args[0] as string[] | undefined) ?? [];
  const controller = new AbortController();
  const stopWatching = watchSignals(controller);
  try {
    const server = { paths, flags: settingFlags(others), fileTools: listOf(tools), version: RLM_VERSION };
    await serveOverStdio({ ...server, isShared: false }, controller.signal);
    return 0;
  } finally {
    stopWatching();
  }
}
