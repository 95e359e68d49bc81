import { closeSync, lstatSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import { type IgnoreRules, loadIgnoreRules, type ReadRules } from '../../../inputs/find/ignore-rules.ts';
import { isSecretPath } from '../../../inputs/find/secret-names.ts';
import { openChecked } from './open-checked.ts';
import { belowRoot, type Root } from './roots.ts';

/** Why a file under a root is not read. */
export type Refusal = 'ignored' | 'secret';

export type Guard = ReturnType<typeof createGuard>;

const mostRuleBytes = 1024 * 1024;

/** Reads an ignore file. Follows no link, and does not wait for the writer of a pipe. Returns '' on failure. */
const readRules: ReadRules = async (file) => {
  try {
    const opened = lstatSync(file).isFile() ? openChecked(String(file), 'file') : null;
    if (opened === null) return '';
    try {
      if (opened.real !== file || opened.stats.size > mostRuleBytes) return '';
      const bytes = Buffer.alloc(mostRuleBytes);
      return bytes.toString('utf8', 0, readSync(opened.descriptor, bytes, 0, bytes.length, 0));
    } finally {
      closeSync(opened.descriptor);
    }
  } catch {
    return '';
  }
};

/**
 * Creates the guard against files that the user probably did not mean: files that an ignore file names, and files that
 * commonly hold secrets. A root itself always passes.
 * @param cwd absolute, without links.
 * @param isOpen whether all files pass.
 */
export function createGuard(cwd: string, isOpen: boolean) {
  const known = new Map<string, Promise<IgnoreRules>>();

  function rulesOf(root: Root, folder: string): Promise<IgnoreRules> {
    const key = `${root.real}\0${folder}`;
    const loading = known.get(key) ?? loadRules(root, folder);
    known.set(key, loading);
    return loading;
  }

  async function loadRules(root: Root, folder: string): Promise<IgnoreRules> {
    const isTop = folder === root.real;
    const outer = await (isTop ? loadIgnoreRules(folder, cwd, readRules) : rulesOf(root, dirname(folder)));
    return outer.withFolder(folder);
  }

  /** Returns why a file or folder is not read; null if it may be read. `rules`: the rules of its parent folder. */
  function judgeBy(rules: IgnoreRules, root: Root, real: string, isFolder: boolean): Refusal | null {
    const below = belowRoot(root, real);
    if (isOpen || below === '') return null;
    if (isSecretPath(below, isFolder)) return 'secret';
    return rules.ignores(real, isFolder) ? 'ignored' : null;
  }

  return {
    rulesOf,
    judgeBy,
    /** Returns why a file or folder is not read; null if it may be read. */
    async judge(root: Root, real: string, isFolder: boolean): Promise<Refusal | null> {
      if (isOpen || real === root.real) return null;
      return judgeBy(await rulesOf(root, dirname(real)), root, real, isFolder);
    },
  };
}
