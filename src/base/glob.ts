/** Matches globs. Without braces, a match takes O(g × p) time for a glob of length g and a path of length p. */

import { RlmError } from '../errors.ts';
import { cutText } from './text.ts';

/** How a glob is read. */
export interface GlobOptions {
  /** Whether wildcards match a name that begins with a dot. By default, only a dot in the glob matches this dot. */
  readonly dot?: boolean;
  readonly ignoreCase?: boolean;
  /** Whether `{a,b}` stands for alternatives. Default: true. */
  readonly braces?: boolean;
}

const longestGlob = 1_000;
const mostAlternatives = 1_000;

/** Matches any number of characters in a name, or of names in a path. */
const many = Symbol('many');

type Fits = (character: string) => boolean;
/** The pattern of a name between slashes; `many` stands for any number of names. */
type NamePattern = readonly (Fits | typeof many)[] | string | typeof many;

/**
 * Compiles a glob as git reads it: `*` and `?` match within a name, `[a-z]` and `[!a-z]` match one character, a name
 * `**` matches any number of folders, and a backslash escapes the next character. Braces have the shell's meaning.
 * @returns a function that tests whether a path with `/` separators matches.
 * @throws RlmError `usage` for a glob of more than 1,000 characters, or with more than 1,000 alternatives.
 */
export function compileGlob(
  glob: string,
  { dot = false, ignoreCase = false, braces = true }: GlobOptions = {},
): (path: string) => boolean {
  const cased = (text: string) => (ignoreCase ? text.toLowerCase() : text);
  const patterns = (braces ? alternativesOf(cased(glob)) : [bounded(cased(glob))]).map(readNames);
  const accepts = (pattern: NamePattern, name: string): boolean => {
    if (typeof pattern === 'string') return pattern === name;
    if (!dot && name.startsWith('.') && (pattern === many || pattern[0] !== isDot)) return false;
    return pattern === many || matches(pattern, [...name], fitsCharacter);
  };
  return (path) => {
    const names = cased(path).split('/');
    return patterns.some((pattern) => matches(pattern, names, accepts));
  };
}

/**
 * Compiles a glob like a line of `.gitignore`: without a slash, it matches the last name of a path at any depth.
 * @throws as `compileGlob` does.
 */
export function compilePathGlob(glob: string): (path: string) => boolean {
  const matches = compileGlob(glob);
  return glob.includes('/') ? matches : (path) => matches(path.slice(path.lastIndexOf('/') + 1));
}

const fitsCharacter = (fits: Fits | typeof many, character: string): boolean => fits === many || fits(character);

/** Whether a pattern matches all items. On a mismatch, it suffices to backtrack to the last `many`. */
function matches<P, I>(pattern: readonly P[], items: readonly I[], accepts: (element: P, item: I) => boolean): boolean {
  let [at, item, last, resume] = [0, 0, -1, 0];
  while (item < items.length) {
    if (pattern[at] === many) {
      last = at++;
      resume = item;
    } else if (at < pattern.length && accepts(pattern[at]!, items[item]!)) {
      at++;
      item++;
    } else if (last >= 0 && accepts(pattern[last]!, items[resume]!)) {
      at = last + 1;
      item = ++resume;
    } else return false;
  }
  while (pattern[at] === many) at++;
  return at === pattern.length;
}

function readNames(glob: string): readonly NamePattern[] {
  const names = splitOutside(glob, '/').filter((name) => name !== '.');
  // A glob that ends in `/**` matches everything below a folder, but not the folder.
  return names.flatMap((name, at): readonly NamePattern[] => {
    if (name !== '**') return [readName(name)];
    return at === names.length - 1 ? [many, [many]] : [many];
  });
}

function splitOutside(glob: string, separator: string): string[] {
  const parts = [''];
  for (const token of tokensOf(glob)) {
    if (token === separator) parts.push('');
    else parts[parts.length - 1] += token;
  }
  return parts;
}

/** Splits a glob into escaped characters, classes in brackets, and single characters. */
const tokensOf = (glob: string): readonly string[] =>
  glob.match(/\\.|\[[!^]?\]?(?:\\[^/]|\[:[a-z]+:\]|[^\]\\/])*\]|./gsu) ?? [];

const isDot: Fits = (character) => character === '.';

function readName(name: string): NamePattern {
  if (!/[*?[]/.test(name)) return name.replace(/\\(.)/gsu, '$1');
  const pattern: (Fits | typeof many)[] = [];
  for (const token of tokensOf(name)) {
    const plain = token.length > 1 && token.startsWith('\\') ? token.slice(1) : token;
    if (token === '*') pattern.push(many);
    else if (token === '?') pattern.push(() => true);
    else if (token.length > 2 && token.startsWith('[')) pattern.push(readClass(token.slice(1, -1)));
    else pattern.push(plain === '.' ? isDot : (character) => character === plain);
  }
  return pattern;
}

const namedClasses: Readonly<Record<string, RegExp>> = {
  alnum: /[\p{L}\p{N}]/u,
  alpha: /\p{L}/u,
  blank: /[ \t]/,
  digit: /[0-9]/,
  lower: /\p{Ll}/u,
  punct: /[!-/:-@[-`{-~]/,
  space: /\s/,
  upper: /\p{Lu}/u,
  xdigit: /[0-9A-Fa-f]/,
};

function readClass(body: string): Fits {
  const isNot = /^[!^]/.test(body);
  const members = body.slice(isNot ? 1 : 0).match(/\[:[a-z]+:\]|(?:\\.|.)(?:-(?:\\.|.))?/gsu) ?? [];
  const tests = members.map((member): Fits => {
    const known = namedClasses[member.slice(2, -2)];
    if (member.startsWith('[:') && known !== undefined) return (character) => known.test(character);
    const [from, to] = [...member.matchAll(/(?:^|-)\\?(.)/gsu)].map(([, end]) => end!.codePointAt(0)!);
    return (character) => {
      const code = character.codePointAt(0)!;
      return code >= from! && code <= (to ?? from!);
    };
  });
  return (character) => tests.some((test) => test(character)) !== isNot;
}

function bounded(glob: string): string {
  if (glob.length <= longestGlob) return glob;
  throw unfit(glob, `has more than ${longestGlob} characters`);
}

const unfit = (glob: string, why: string): RlmError =>
  new RlmError('usage', `the glob '${cutText(glob, 60)}' ${why}`, { hint: 'Write several shorter globs instead.' });

/** Expands the braces of a glob. Braces without a comma, and braces that are not closed, stay as they are. */
export function alternativesOf(glob: string): string[] {
  const done: string[] = [];
  const open = [bounded(glob)];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const group = firstBraces(next);
    if (group === null) done.push(next);
    else open.push(...group.reverse());
    if (done.length + open.length > mostAlternatives)
      throw unfit(glob, `stands for more than ${mostAlternatives} globs`);
  }
  return done;
}

function firstBraces(glob: string): string[] | null {
  const tokens = tokensOf(glob);
  for (let start = tokens.indexOf('{'); start >= 0; start = tokens.indexOf('{', start + 1)) {
    const cuts = [start];
    let depth = 0;
    for (let at = start; at < tokens.length; at++) {
      depth += tokens[at] === '{' ? 1 : tokens[at] === '}' ? -1 : 0;
      if (depth === 0 || (depth === 1 && tokens[at] === ',')) cuts.push(at);
      if (depth === 0) break;
    }
    if (depth > 0 || cuts.length < 3) continue;
    const [before, after] = [tokens.slice(0, start).join(''), tokens.slice(cuts.at(-1)! + 1).join('')];
    return cuts.slice(1).map((cut, at) => before + tokens.slice(cuts[at]! + 1, cut).join('') + after);
  }
  return null;
}

/**
 * Splits a path before its first name with a wildcard; null without a wildcard.
 * @returns `base`: the folder before that name, without escapes; empty for the current folder.
 */
export function splitGlob(path: string): { readonly base: string; readonly rest: string } | null {
  const names = path.split('/');
  const isWild = (name: string) => tokensOf(name).some((token) => /^[*?[{]/.test(token));
  const first = names.findIndex(isWild);
  if (first < 0) return null;
  const base = names.slice(0, first).join('/').replace(/\\(.)/gs, '$1');
  return { base: first === 1 && base === '' ? '/' : base, rest: names.slice(first).join('/') };
}
