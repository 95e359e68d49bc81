import * as z from 'zod/mini';
import { onOff, orNull, setting, text, whole } from './kinds.ts';

/** The tools and files that a model may use, and how much of a result it sees. */
export const tools = {
  allow: setting(
    orNull(() => z.array(text())),
    'tools that explore may use, by name, separated by commas on the command line; null: all',
    { env: ['RLM_TOOLS'], flag: '--tools <list>' },
  ),
  roots: setting(
    () => z.array(text()),
    'additional folders that the file tools may read, besides the paths that the question is about',
    { env: ['RLM_ROOT'], flag: '--root <dir>', from: 'user' },
  ),
  readIgnored: setting(
    onOff,
    'let the file tools also read files that .gitignore excludes or that commonly hold secrets; a file that is given by its own path is always readable',
    { env: ['RLM_READ_IGNORED'], from: 'user' },
  ),
  maxCharacters: setting(
    whole(200, 1_000_000),
    'most that the results of one step may show a model together, in characters; also limited to half of its window',
  ),
  maxLines: setting(whole(5, 100_000), 'most lines of one tool result that a model sees'),
};

/** The limits of code that a model writes. */
export const sandbox = {
  turnTimeout: setting(
    whole(1, 600),
    'how long the code of one turn may run with --strategy repl, in seconds, without its model calls',
  ),
  memory: setting(whole(32, 1_024), 'memory for all values of the code with --strategy repl, in MB'),
};
