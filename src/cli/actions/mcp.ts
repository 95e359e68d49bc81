import { randomBytes } from 'node:crypto';
import { readOwnText } from '../../base/files/own-file.ts';
import { type ExitCode, RlmError } from '../../errors.ts';
import type { Invocation } from '../command.ts';
import { settingFlags } from '../setting-flags.ts';
import { underSignals } from '../signals.ts';
import { say } from '../terminal.ts';

declare const RLM_VERSION: string;

const listOf = (value: unknown): string[] =>
  String(value ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

function portOf(given: string): number {
  const port = Number(given);
  if (/^\d{1,5}$/.test(given) && port <= 65_535) return port;
  throw new RlmError('usage', `--http cannot be "${given}"`, {
    hint: 'Give a port: --http 8808, or 0 for a free one.',
  });
}

const shortestToken = 16;

/** Returns the token that clients must send: the user's, or a new one. Throws RlmError `usage`. */
function tokenFrom(file: unknown): { readonly token: string; readonly isNew: boolean } {
  if (typeof file !== 'string') return { token: randomBytes(24).toString('base64url'), isNew: true };
  let token: string;
  try {
    token = readOwnText(file).trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new RlmError('usage', `${file} cannot be read (${code})`, { hint: 'Give a file that contains the token.' });
  }
  if (token.length >= shortestToken && !/\s/.test(token)) return { token, isNew: false };
  throw new RlmError('usage', `${file} contains no valid token`, {
    hint: `Write one line of at least ${shortestToken} characters to it: openssl rand -base64 24 > ${file}`,
  });
}

async function serve(invocation: Invocation, signal: AbortSignal): Promise<void> {
  const { args, options } = invocation;
  const { tools, http, tokenFile, index, watch, ...others } = options;
  if (watch === true && index === undefined)
    throw new RlmError('usage', '--watch needs --index', { hint: 'For example: rlm mcp --index docs --watch' });
  const onWatch = watch === true ? (message: string) => say(invocation, message) : null;
  const asked = { index: typeof index === 'string' ? index : null, onWatch };
  const paths = (args[0] as string[] | undefined) ?? [];
  const server = { ...asked, paths, flags: settingFlags(others), fileTools: listOf(tools), version: RLM_VERSION };
  if (typeof http !== 'string') {
    if (process.stdin.isTTY)
      say(invocation, 'waiting for a client on stdin; rlm mcp install shows how a client starts rlm');
    const { serveOverStdio } = await import('../../mcp/stdio.ts');
    const onError = (error: Error) => say(invocation, error.message);
    return serveOverStdio({ ...server, isShared: false }, onError, signal);
  }
  const port = portOf(http);
  const { token, isNew } = tokenFrom(tokenFile);
  const { serveOverHttp } = await import('../../mcp/http.ts');
  const onListening = (address: string) => {
    say(invocation, `listening on ${address}`);
    // The token is shown once, without redaction, because the user has no other way to get it.
    if (isNew) process.stderr.write(`     Authorization: Bearer ${token}\n`);
  };
  return serveOverHttp(
    { ...server, port, token, onListening, onError: (error) => say(invocation, error.message) },
    signal,
  );
}

/** Runs `rlm mcp`. */
export async function runMcp(invocation: Invocation): Promise<ExitCode> {
  const [first, ...rest] = (invocation.args[0] as string[] | undefined) ?? [];
  if (first === 'install') {
    const { runInstall } = await import('./mcp-install.ts');
    return runInstall(rest, invocation);
  }
  if (invocation.options['write'] === true)
    throw new RlmError('usage', '--write needs install', { hint: 'For example: rlm mcp install cursor --write' });
  await underSignals({}, (signal) => serve(invocation, signal));
  return 0;
}
