import * as z from 'zod/mini';
import { onOff, orNull, setting, text, whole } from './kinds.ts';

/** What a model may use and read, and how much of it is shown. */
export const tools = {
  allow: setting(
    orNull(() => z.array(text())),
    'tools that explore may use, by name, with commas between them on the command line; null: all',
    { env: ['RLM_TOOLS'], flag: '--tools <list>' },
  ),
  roots: setting(
    () => z.array(text()),
    'further folders that the file tools may read, besides the paths that are asked about',
    { env: ['RLM_ROOT'], flag: '--root <dir>', from: 'user' },
  ),
  readIgnored: setting(
    onOff,
    'let the file tools read, too, what .gitignore names and files that commonly hold secrets; a file that is named itself always is',
    { env: ['RLM_READ_IGNORED'], from: 'user' },
  ),
  maxCharacters: setting(whole(200, 1_000_000), 'longest result of a tool that a model is shown, in characters'),
  maxLines: setting(whole(5, 100_000), 'longest result of a tool that a model is shown, in lines'),
};

/** What code that a model writes may take. */
export const sandbox = {
  turnTimeout: setting(
    whole(1, 600),
    'how long the code of one turn may run with --strategy repl, not counting its model calls, in seconds',
  ),
  memory: setting(whole(32, 1_024), 'memory for all values of the code together with --strategy repl, in MB'),
};
