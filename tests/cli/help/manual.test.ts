import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandPage, manualPages } from '../../../scripts/manual.ts';
import { commands } from '../../../src/cli/commands/index.ts';

const pages = manualPages(commands, { version: '1.2.3', date: '2026-11-22' });

function hasMandoc(): boolean {
  try {
    execFileSync('mandoc', ['-T', 'ascii'], { input: '', stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}

/** Returns the visible text, without bold and line breaks. */
const shown = (page: string) =>
  execFileSync('mandoc', ['-T', 'utf8', '-O', 'width=500'], { input: page, encoding: 'utf8' }).replace(/.\u0008/g, '');

describe('the manual', () => {
  it('has a page for the program and each command, with every option', () => {
    expect(pages.size).toBe(commands.length + 1);
    for (const { name } of commands) expect(pages.get('rlm.1')).toContain(`\\fB${name}\\fR`);
    for (const { name, options } of commands)
      expect(
        pages
          .get(`rlm-${name}.1`)!
          .split('.SH OPTIONS')[1]
          ?.match(/^\.TP$/gm)?.length ?? 0,
      ).toBeGreaterThanOrEqual(options.length);
  });

  it('protects text that a formatter could interpret', () => {
    const about = "'quoted'\n.SH NO \\fB `a` --b";
    const page = commandPage(
      { name: 'x', about, args: [], options: [], examples: [], run: async () => 0 },
      { version: '1', date: '' },
    );
    expect(page).toContain("\n\\&'quoted'\n\\&.SH NO \\(rsfB \\(gaa\\(ga \\-\\-b\n");
  });

  it.skipIf(!hasMandoc())('has no fault that mandoc finds (skipped without mandoc)', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rlm-man-'));
    for (const [name, page] of pages) writeFileSync(join(folder, name), page);
    const lint = execFileSync('sh', ['-c', 'mandoc -T lint -W warning *.1 2>&1 || true'], {
      cwd: folder,
      encoding: 'utf8',
    });
    rmSync(folder, { recursive: true });
    expect(lint).toBe('');
    const page = shown(pages.get('rlm-ask.1')!);
    expect(page).toContain('-o, --output <file>');
    expect(page).toContain('rlm ask "Which settings are read where?" src/ \'docs/**/*.md\'');
  });
});
