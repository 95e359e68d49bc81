/**
 * The rule of the house: a folder of src/ imports only from those before it. The order is in this list and nowhere else.
 */
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

/** From the ground up; a name is a folder of src/ or a file in it. */
const layers: readonly string[] = [
  'clock',
  'errors',
  'state',
  'config',
  'prompts',
  'context',
  'providers',
  'evidence',
  'retrievers',
  'run',
  'strategies',
  'stages',
  'controller',
  'result',
  'journal',
  'choose-provider',
  'create-run',
  'index',
  'cli',
];

/** An import that the rule forbids, or a place that the list does not know. */
export interface Violation {
  readonly file: string;
  readonly imports: string;
  readonly why: string;
}

const importPattern = /(?:\bfrom\s*|\bimport\s*\(\s*|^import\s+)'(\.[^']+)'/gm;

const layerOf = (path: string): string => path.split('/')[0]!.replace(/\.ts$/, '');

function judge(file: string, target: string): string | null {
  const [from, to] = [layers.indexOf(layerOf(file)), layers.indexOf(layerOf(target))];
  if (from < 0) return `${layerOf(file)} is not in the list of layers`;
  if (to < 0) return target.startsWith('..') ? null : `${layerOf(target)} is not in the list of layers`;
  return to > from ? `${layerOf(file)} comes before ${layerOf(target)}` : null;
}

/** Every violation below a source folder. */
export async function findViolations(source: string): Promise<Violation[]> {
  const entries = await readdir(source, { recursive: true });
  const files = entries.filter((entry) => entry.endsWith('.ts')).map((entry) => entry.replaceAll('\\', '/'));
  const found = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(source, file), 'utf8');
      return [...text.matchAll(importPattern)].flatMap((match): Violation[] => {
        const target = relative(source, join(source, dirname(file), match[1]!)).replaceAll('\\', '/');
        const why = judge(file, target);
        return why === null ? [] : [{ file, imports: target, why }];
      });
    }),
  );
  return found.flat();
}
