import type { RE2JS } from 're2js';
import { ToolError } from '../../tool-error.ts';

/** A glob that a model wrote. */
export interface PathGlob {
  /** Whether it asks for names that begin with a dot. */
  readonly hidden: boolean;
  /** Whether a path matches; for a glob without folders, whether its last name does. Takes time linear in the path. */
  matches(path: string): boolean;
}

const longestGlob = 500;

/** The signs of globs, longer ones first. */
const parts: readonly (readonly [RegExp, (match: RegExpExecArray) => string])[] = [
  [/\*\*\//y, () => '(?:[^/]+/)*'],
  [/\*\*/y, () => '.*'],
  [/\*/y, () => '[^/]*'],
  [/\?/y, () => '[^/]'],
  [/\[([!^]?)(\]?[^\]]+)\]/y, ([, not, members]) => `[${not && '^/'}${members!.replace(/[\\[\]^&~]/g, '\\$&')}]`],
  [/\{/y, () => '(?:'],
  [/\}/y, () => ')'],
  [/,/y, () => '|'],
  [/\\?(.)/suy, ([, character]) => character!.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')],
];

function translate(glob: string): string {
  let expression = '';
  let depth = 0;
  for (let at = 0; at < glob.length; ) {
    for (const [pattern, print] of parts) {
      pattern.lastIndex = at;
      const match = pattern.exec(glob);
      if (match === null) continue;
      depth += match[0] === '{' ? 1 : match[0] === '}' ? -1 : 0;
      expression += match[0] === ',' && depth === 0 ? ',' : print(match);
      at += match[0].length;
      break;
    }
  }
  return expression;
}

/**
 * Reads a glob: `*`, `?`, `[a-z]`, `{a,b}`, and `**` for any folders.
 * @throws ToolError where it cannot be read.
 */
export async function parsePathGlob(glob: string): Promise<PathGlob> {
  const { RE2JS, RE2JSException } = await import('re2js');
  const wanted = glob.replace(/^\.?\/+/, '');
  let expression: RE2JS;
  try {
    if (wanted.length > longestGlob) throw new RE2JSException('it is too long');
    expression = RE2JS.compile(`^(?:${translate(wanted)})$`, RE2JS.DOTALL);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new ToolError(
      `the glob ${JSON.stringify(glob.slice(0, 100))} cannot be read; write it like src/**/*.{ts,tsx}`,
    );
  }
  const isName = !wanted.includes('/');
  return {
    hidden: /(^|[/{,])\./.test(wanted),
    matches: (path) => expression.test(isName ? path.slice(path.lastIndexOf('/') + 1) : path),
  };
}
