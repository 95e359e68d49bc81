import { randomBytes } from 'node:crypto';
import { readOwnTextIfAny } from '../../base/files/own-file.ts';
import { type ExitCode, RlmError } from '../../errors.ts';
import { type Invocation, splitList, textOption } from '../command.ts';
import { settingFlags } from '../setting-flags.ts';
import { underSignals } from '../signals.ts';
import { say } from '../terminal.ts';

declare const RLM_VERSION: string;

function portOf(given: string): number {
  if (/^\d{1,5}$/.test(given) && Number(given) <= 65_535) return Number(given);
  const hint = 'Give a port: --http 8808, or 0 for a free one.';
  throw new RlmError('usage', `--http cannot be "${given}"`, { hint });
}

const shortestToken = 16;

function tokenIn(file: string): string {
  const hint = 'Give a file that contains the token.';
  const given = readOwnTextIfAny(file, (why) => new RlmError('usage', `${file} cannot be read (${why})`, { hint }));
  if (given === null) throw new RlmError('usage', `there is no file ${file}`, { hint });
  const token = given.trim();
  if (token.length >= shortestToken && !/\s/.test(token)) return token;
  throw new RlmError('usage', `${file} contains no valid token`, {
    hint: `Write one line of at least ${shortestToken} characters to it: openssl rand -base64 24 > ${file}`,
  });
}

async function serve(invocation: Invocation, signal: AbortSignal): Promise<void> {
  const { args, options } = invocation;
  const { tools, ...settings } = options;
  const [index, http] = [textOption(options, 'index'), textOption(options, 'http')];
  const watches = options['watch'] === true;
  const tell = (message: string) => say(invocation, message);
  const onError = (error: Error) => tell(error.message);
  const asked = { index, onWatch: watches ? tell : null, paths: args[0] as readonly string[] };
  const fileTools = splitList(String(tools ?? ''));
  const serverOptions = { ...asked, flags: settingFlags(settings), fileTools, version: RLM_VERSION };
  if (http === null) {
    if (process.stdin.isTTY) tell('waiting for a client on stdin; rlm mcp install shows how a client starts rlm');
    const { serveOverStdio } = await import('../../mcp/stdio.ts');
    return serveOverStdio({ ...serverOptions, isShared: false }, onError, signal);
  }
  const port = portOf(http);
  const file = textOption(options, 'tokenFile');
  const token = file === null ? randomBytes(24).toString('base64url') : tokenIn(file);
  const { serveOverHttp } = await import('../../mcp/http.ts');
  const onListening = (address: string) => {
    tell(`listening on ${address}`);
    // The token is shown once, without redaction, because the user has no other way to get it.
    if (file === null) process.stderr.write(`     Authorization: Bearer ${token}\n`);
  };
  return serveOverHttp({ ...serverOptions, port, token, onListening, onError }, signal);
}

export async function runMcp(invocation: Invocation): Promise<ExitCode> {
  const [first, ...rest] = (invocation.args[0] as string[] | undefined) ?? [];
  if (first === 'install') {
    const { runInstall } = await import('./mcp-install.ts');
    return runInstall(rest, invocation);
  }
  await underSignals({}, (signal) => serve(invocation, signal));
  return 0;
}
