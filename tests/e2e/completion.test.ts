import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder, launcher, rlm, start } from './run-rlm.ts';

const shells = { zsh: ['/usr/bin/zsh', '/bin/zsh'], fish: ['/usr/bin/fish'] };
const has = (shell: keyof typeof shells) => shells[shell].some((path) => existsSync(path));

/** A folder at the beginning of PATH that contains the program as `rlm`. */
function withProgram() {
  const bin = createFolder({ rlm: launcher });
  const cwd = createFolder();
  const env = { PATH: `${bin}:${process.env['PATH']}` };
  const run = (shell: string, line: string) =>
    start(shell, ['-c', `chmod +x '${bin}/rlm'\n${line}`], { cwd, env }).done;
  return { cwd, run };
}

const hostile = '"$(touch hacked)" `touch hacked`';

describe.concurrent('completions in real shells', () => {
  it('bash: commands, values behind a space and =, and nothing typed is evaluated', async () => {
    const { cwd, run } = withProgram();
    const lines = [
      'source <(rlm completion bash)',
      `try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rlm; (IFS=,; echo "\${COMPREPLY[*]}"); }`,
      'try rlm ru',
      'try rlm ask --strategy d',
      'try rlm ask --strategy = d',
      `try rlm ask '${hostile}' --annotations g`,
    ];
    const { stdout, stderr } = await run('bash', lines.join('\n'));
    expect({ stdout, stderr }).toEqual({
      stdout: 'runs\ndirect,decompose\ndirect,decompose\ngithub,gitlab\n',
      stderr: '',
    });
    expect(existsSync(join(cwd, 'hacked'))).toBe(false);
  });

  it.skipIf(!has('fish'))('fish (skipped if it is not installed)', async () => {
    const { cwd, run } = withProgram();
    const { stdout } = await run(
      'fish',
      `rlm completion fish | source; complete -C 'rlm ru'; complete -C 'rlm ask (touch hacked) --strategy d'`,
    );
    expect(stdout).toMatch(/^runs\t.*\ndecompose\ndirect\n$/);
    expect(existsSync(join(cwd, 'hacked'))).toBe(false);
  });

  it.skipIf(!has('zsh'))('zsh (skipped if it is not installed)', async () => {
    const { run } = withProgram();
    const { stdout, stderr } = await run(
      'zsh',
      'autoload -U compinit; compinit -u -d zdump; source <(rlm completion zsh); echo $_comps[rlm]; zsh -n <(rlm completion zsh)',
    );
    expect({ stdout, stderr }).toEqual({ stdout: '_rlm\n', stderr: '' });
  });

  it('names the supported shells', async () => {
    const { code, stderr } = await rlm(['completion', 'tcsh']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/bash, zsh, fish, powershell/);
  });
});
