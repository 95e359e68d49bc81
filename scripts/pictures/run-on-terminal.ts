/** Runs the built program on a pseudo-terminal, and reads the screen. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import headless, { type Terminal } from '@xterm/headless';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A command line, and the size of its terminal. */
export interface TerminalRun {
  /** As a user types it, beginning with `rlm`. */
  readonly line: string;
  readonly columns: number;
  readonly rows: number;
  readonly env: Readonly<Record<string, string>>;
  /** Stops when the terminal first shows this text; by default, when the program ends. */
  readonly until?: RegExp;
}

const screenText = ({ buffer: { active } }: Terminal): string =>
  Array.from({ length: active.length }, (_, row) => active.getLine(row)!.translateToString(true)).join('\n');

/** Runs the command line and resolves to the terminal. */
export async function runOnTerminal({ line, columns, rows, env, until }: TerminalRun): Promise<Terminal> {
  const home = mkdtempSync(join(tmpdir(), 'rlm-picture-'));
  const program = `rlm() { '${process.execPath}' '${join(root, 'bin', 'rlm.js')}' "$@"; }`;
  const script = `stty cols ${columns} rows ${rows}; ${program}; ${line}`;
  const clean = { PATH: process.env['PATH'] ?? '', HOME: home, TERM: 'xterm-256color', ...env };
  const child = spawn('script', ['-qec', `sh -c "$LINE"`, '/dev/null'], {
    cwd: root,
    env: { ...clean, LINE: script },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
  const show = (text: string) => new Promise<void>((resolve) => terminal.write(text, resolve));
  await show(`$ ${line}\r\n`);
  child.stdout.setEncoding('utf8');
  try {
    for await (const output of child.stdout) {
      await show(String(output));
      if (until?.test(screenText(terminal))) return terminal;
    }
    if (until) throw new Error(`never shown: ${until}\n${screenText(terminal)}`);
    return terminal;
  } finally {
    child.kill();
    rmSync(home, { recursive: true, force: true });
  }
}
