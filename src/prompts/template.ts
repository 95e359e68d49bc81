import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readOwnTextIfAny } from '../base/files/own-file.ts';
import { nearest } from '../base/nearest.ts';
import { packageRoot } from '../config/folders.ts';
import { RlmError } from '../errors.ts';
import { type PromptName, prompts, type Variables } from './index.ts';
import type { Prompt } from './prompt.ts';
import type { Fields } from './reply/fields.ts';

interface Template {
  readonly system: string;
  readonly user: string;
}

export type Templates = Readonly<Record<PromptName, Template>>;

const names = Object.keys(prompts) as PromptName[];
const placeholder = /\{\{\s*([\w-]*)\s*\}\}/g;

const invalid = (message: string, hint: string) => new RlmError('prompt-invalid', message, { hint });

function parseTemplate(name: PromptName, path: string, text: string): Template {
  const sections = /^\s*## System\r?\n([\s\S]*?)^## User\r?\n([\s\S]*)$/m.exec(text);
  const hint = 'Copy the shipped file and change the copy.';
  if (sections === null) throw invalid(`${path} needs a "## System" section and then a "## User" section`, hint);
  checkVariables(name, path, text);
  return { system: sections[1]!.trim(), user: sections[2]!.trim() };
}

function checkVariables(name: PromptName, path: string, text: string): void {
  const { render, required, plain, schemaOf } = prompts[name] as unknown as Prompt<Record<string, unknown>, Fields>;
  const needsNoFormat = plain !== undefined && plain.marks === null && plain.below === undefined;
  const format = needsNoFormat || schemaOf ? [] : ['format'];
  const known = [...Object.keys(render), ...format];
  const used = new Set([...text.matchAll(placeholder)].map((match) => match[1]!));
  for (const variable of used) {
    if (known.includes(variable)) continue;
    const near = nearest(variable, known);
    const hint = near ? `Did you mean {{${near}}}?` : `It may use ${known.map((one) => `{{${one}}}`).join(', ')}.`;
    throw invalid(`${path}: unknown variable {{${variable}}}`, hint);
  }
  const missing = [...required, ...format].find((variable) => !used.has(variable));
  if (missing) throw invalid(`${path}: {{${missing}}} is missing`, 'Without it the model cannot do its work.');
}

/** Finds the user's file for each prompt. Refuses a file with another name, because it would have no effect. */
async function ownFiles(folder: string): Promise<Map<PromptName, string>> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw invalid(`the prompts folder ${folder} cannot be read (${error.code})`, 'Name a folder with --prompts.');
  });
  const files = entries.filter((entry) => entry.endsWith('.md') && entry.toLowerCase() !== 'readme.md');
  return new Map(
    files.map((file) => {
      const name = file.slice(0, -'.md'.length);
      if (Object.hasOwn(prompts, name)) return [name as PromptName, join(folder, file)];
      const near = nearest(name, names);
      const hint = near ? `Did you mean ${near}.md?` : `The prompts are ${names.join(', ')}.`;
      throw invalid(`${join(folder, file)} is no prompt of rlm`, hint);
    }),
  );
}

function templateOf(name: PromptName, own: string | undefined): Template {
  const path = own ?? join(packageRoot, 'prompts', `${name}.md`);
  const other = own === undefined ? 'install rlm again' : 'name another folder with --prompts';
  const unreadable = (why: string) =>
    invalid(`${path} cannot be read (${why})`, `Make the file readable, or ${other}.`);
  const text = readOwnTextIfAny(path, unreadable);
  if (text === null) throw unreadable('ENOENT');
  return parseTemplate(name, path, text);
}

/**
 * Returns all prompts. A prompt in the user's folder replaces the shipped prompt of the same name.
 * @throws RlmError `prompt-invalid` when the folder or a file cannot be read. Also throws it for a file that is not
 *   named after a prompt, lacks a section, lacks a needed variable, or uses an unknown variable.
 */
export async function loadTemplates(folder: string | null): Promise<Templates> {
  const own = folder === null ? new Map<PromptName, string>() : await ownFiles(folder);
  const entries = names.map((name) => [name, templateOf(name, own.get(name))] as const);
  return Object.fromEntries(entries) as Record<PromptName, Template>;
}

function isEmpty(paragraph: string, values: ReadonlyMap<string, string>): boolean {
  const names = [...paragraph.matchAll(placeholder)].map((match) => match[1]!);
  return names.length > 0 && names.every((name) => values.get(name) === '');
}

/** Fills a template in one pass, so that `{{…}}` in a value is kept. Drops paragraphs whose variables are all empty. */
function fill(text: string, values: ReadonlyMap<string, string>): string {
  const paragraphs = text.split(/\n\s*\n/).filter((paragraph) => !isEmpty(paragraph, values));
  return paragraphs.join('\n\n').replace(placeholder, (_, name: string) => values.get(name)!);
}

/** Returns the two messages of a prompt. `format` tells the model the form of its reply. */
export function renderPrompt<N extends PromptName>(
  templates: Templates,
  name: N,
  variables: Variables<N>,
  format: string,
): { system: string; user: string } {
  const render = prompts[name].render as Record<string, (value: unknown) => string>;
  const rendered = Object.entries(variables).map(([name, value]) => [name, render[name]!(value)] as const);
  const values = new Map([...rendered, ['format', format]]);
  const { system, user } = templates[name];
  return { system: fill(system, values), user: fill(user, values) };
}
