import { basename } from 'node:path';
import { nearest } from '../base/nearest.ts';
import { longestWords } from '../config/settings/answering.ts';
import { RlmError } from '../errors.ts';
import type { PromptName } from '../prompts/index.ts';
import { type StrategyName, strategyNames } from '../state.ts';

/** A value of the front matter. `line`: the number of its line in the file, from 1. */
interface Entry {
  readonly value: string | readonly string[];
  readonly line: number;
}

type FrontMatter = ReturnType<typeof readFrontMatter>;

const formHint = 'Write one "key: value" or "key: [one, two]" on each line, between two lines of ---.';

const invalidAt = (path: string, line: number, message: string, hint = formHint): RlmError =>
  new RlmError('config-invalid', `${path}:${line}: ${message}`, { hint });

const unquoted = (text: string): string => text.trim().replace(/^"(.*)"$/, '$1');

function readValue(text: string, at: (message: string) => RlmError): string | readonly string[] {
  if (!text.startsWith('[')) return unquoted(text);
  if (!text.endsWith(']')) throw at('a list that begins with [ must end with ] on the same line');
  // A comma in quotation marks is a part of its item.
  const separated = text
    .slice(1, -1)
    .replace(/(?<=^|,)\s*"[^"]*"(?=\s*(?:,|$))|,/g, (part) => part.replace(/^,$/, '\n'));
  const items = separated.split('\n').map(unquoted);
  const isEmpty = items.length === 1 && items[0] === '';
  if (!isEmpty && items.includes('')) throw at('a list has an empty item');
  return isEmpty ? [] : items;
}

/**
 * Reads a text and its front matter: lines of `key: value` or `key: [one, two]` above the text.
 * @throws RlmError `config-invalid` with a message that names the file and the line.
 */
export function readFrontMatter(path: string, text: string) {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  if (lines[0]?.trimEnd() !== '---') throw invalidAt(path, 1, 'the file must begin with a line of ---');
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---');
  if (end === -1) throw invalidAt(path, lines.length, 'the front matter is not closed by a line of ---');
  const entries = new Map<string, Entry>();
  for (const [index, content] of lines.slice(1, end).entries()) {
    const [line, trimmed] = [index + 2, content.trim()];
    const at = (message: string) => invalidAt(path, line, message);
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const colon = trimmed.indexOf(':');
    const key = trimmed.slice(0, Math.max(0, colon)).trimEnd();
    if (!/^[a-z][a-zA-Z]*$/.test(key)) throw at('expected "key: value"');
    if (entries.has(key)) throw at(`"${key}" occurs twice`);
    entries.set(key, { value: readValue(trimmed.slice(colon + 1).trim(), at), line });
  }
  const body = lines.slice(end + 1).join('\n');
  return { entries, body: body.trim() };
}

/** A job that a user gives to a model: what to look at, what to cite, and what the answer consists of. */
export interface Role {
  /** Empty if only the setting `system` is given. */
  readonly name: string;
  readonly about: string;
  /** Names of the allowed tools; null allows all. The setting `tools.allow` replaces them. */
  readonly tools: readonly string[] | null;
  /** The strategy for runs without `--strategy`; null for no preference. */
  readonly strategy: StrategyName | null;
  /** The sections of the answer, in order; empty if none are required. */
  readonly sections: readonly string[];
  /** The role's instructions, which are added to prompts. */
  readonly words: string;
  readonly path: string;
}

const keys = ['name', 'about', 'tools', 'strategy', 'sections'] as const;
type Key = (typeof keys)[number];

function checkKeys(path: string, { entries }: FrontMatter): void {
  const unknown = [...entries].find(([key]) => !(keys as readonly string[]).includes(key));
  if (unknown === undefined) return;
  const [key, { line }] = unknown;
  const near = nearest(key, keys);
  const hint = near ? `Did you mean ${near}?` : `The keys are ${keys.join(', ')}.`;
  throw invalidAt(path, line, `unknown key "${key}"`, hint);
}

function createReader(path: string, { entries }: FrontMatter) {
  return {
    text(key: Key): string | null {
      const entry = entries.get(key);
      if (entry === undefined) return null;
      if (typeof entry.value === 'string' && entry.value !== '') return entry.value;
      throw invalidAt(path, entry.line, `"${key}" must be a text`);
    },
    list(key: Key): readonly string[] | null {
      const entry = entries.get(key);
      if (entry === undefined) return null;
      if (typeof entry.value !== 'string') return entry.value;
      throw invalidAt(path, entry.line, `"${key}" must be a list, such as [one, two]`);
    },
    wrong: (key: Key, message: string, hint?: string) => invalidAt(path, entries.get(key)?.line ?? 1, message, hint),
  };
}

/** Reads a role from the text of its file. Throws RlmError `config-invalid`, which names the file and the line. */
export function readRole(path: string, text: string): Role {
  const matter = readFrontMatter(path, text);
  checkKeys(path, matter);
  const { text: textOf, list, wrong } = createReader(path, matter);
  const stem = basename(path, '.md');
  const [name, about, strategy] = [textOf('name'), textOf('about'), textOf('strategy')];
  if (name !== stem) throw wrong('name', `"name" must be ${stem}, like the name of the file`);
  if (about === null) throw wrong('about', '"about" is missing: say in one line what the role is for');
  if (strategy !== null && !(strategyNames as readonly string[]).includes(strategy))
    throw wrong('strategy', `there is no strategy "${strategy}"`, `The strategies are ${strategyNames.join(', ')}.`);
  const { body } = matter;
  if (body === '') throw wrong('name', 'the role has no instructions: write them below the front matter');
  if (body.length > longestWords)
    throw wrong('name', `the role has ${body.length} characters; it may have ${longestWords} at most`, 'Shorten it.');
  const rest = { tools: list('tools'), strategy: strategy as StrategyName | null, sections: list('sections') ?? [] };
  return { name, about, ...rest, words: body, path };
}

const unnamed: Role = { name: '', about: '', tools: null, strategy: null, sections: [], words: '', path: '' };

/** Adds the setting `system` to a role. Returns null if both are null. */
export function withWords(role: Role | null, words: string | null): Role | null {
  if (words === null) return role;
  return role === null ? { ...unnamed, words } : { ...role, words: `${role.words}\n\n${words}` };
}

/** Returns approximately how many bytes a role adds to a prompt. */
export const supplementBytes = (role: Role | null): number =>
  role === null ? 0 : Buffer.byteLength([role.words, ...role.sections].join('; ')) + 400;

/** The prompts to which a role is added: those that plan or answer a question. */
const supplemented: readonly PromptName[] = ['planner', 'answer', 'compose', 'explore', 'conclude', 'repl'];

/** Returns the words that a role adds to a prompt of the node at `path`; empty if it adds none. */
export function supplementOf(role: Role | null, prompt: PromptName, path: string, failCount: number): string {
  if (role === null || !supplemented.includes(prompt)) return '';
  const { name, words, sections } = role;
  const failed = failCount > 0 ? `Fixes that were tried and have failed so far: ${failCount}.` : '';
  const form =
    path === '0' && sections.length > 0
      ? `The answer itself, once you give it, has these sections, each under its name as a heading (## Name), in this order: ${sections.join('; ')}. Where there is nothing to say in one, say so in a few words.`
      : '';
  return [name && `Your role is ${name}:`, words, failed, form].filter(Boolean).join('\n\n');
}
