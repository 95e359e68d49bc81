/** Measures the source: lines and files of each room, small files, and the files that one file loads. */
import { dirname, join } from 'node:path/posix';

/** Most lines of a small file. */
const smallLines = 25;

export interface Weight {
  readonly files: number;
  readonly lines: number;
}

export interface SourceWeight extends Weight {
  /** By room, sorted by name. A file directly in the source folder counts for the room `.`. */
  readonly rooms: ReadonlyMap<string, Weight>;
  /** Number of files with at most 25 lines. */
  readonly small: number;
}

const linesOf = (text: string): number => text.split('\n').length - 1;

const weighFiles = (texts: readonly string[]): Weight => ({
  files: texts.length,
  lines: texts.reduce((sum, text) => sum + linesOf(text), 0),
});

/** Measures the source. `texts` maps the path of each file below the source folder to its text. */
export function weigh(texts: ReadonlyMap<string, string>): SourceWeight {
  const byRoom = new Map<string, string[]>();
  for (const [file, text] of [...texts].toSorted()) {
    const room = file.includes('/') ? file.split('/')[0]! : '.';
    byRoom.set(room, [...(byRoom.get(room) ?? []), text]);
  }
  return {
    ...weighFiles([...texts.values()]),
    rooms: new Map([...byRoom].map(([room, ofRoom]) => [room, weighFiles(ofRoom)])),
    small: [...texts.values()].filter((text) => linesOf(text) <= smallLines).length,
  };
}

/** Matches static imports and exports of values from a file of the source. */
const loadPattern = /^(?:import|export)(?!\s+type\b)(?:[^;']*?\bfrom)?\s*'(\.[^']+)'/gm;

/** Measures a file with every file that it loads statically, directly or through others. Types load nothing. */
export function weighLoaded(texts: ReadonlyMap<string, string>, entry: string): Weight {
  const loaded = new Set([entry]);
  for (const file of loaded)
    for (const [, target] of texts.get(file)!.matchAll(loadPattern)) {
      const path = join(dirname(file), target!);
      if (texts.has(path)) loaded.add(path);
    }
  return weighFiles([...loaded].map((file) => texts.get(file)!));
}
