/** What the source weighs: the lines and files of each room, its small files, and what one file loads with it. */
import { dirname, join } from 'node:path/posix';

/** Lines that a small file has at most. */
const smallLines = 25;

export interface Weight {
  readonly files: number;
  readonly lines: number;
}

export interface SourceWeight extends Weight {
  /** By room, in the order of the names. A file directly in the source folder counts for the room `.`. */
  readonly rooms: ReadonlyMap<string, Weight>;
  /** Number of files with at most 25 lines. */
  readonly small: number;
}

const linesOf = (text: string): number => text.split('\n').length - 1;

const weighFiles = (texts: readonly string[]): Weight => ({
  files: texts.length,
  lines: texts.reduce((sum, text) => sum + linesOf(text), 0),
});

/** Weighs the source. `texts` maps the path of each file below the source folder to its text. */
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

/** An import or export of values from a file of the source: neither of types only nor dynamic. */
const loadPattern = /^(?:import|export)(?!\s+type\b)(?:[^;']*?\bfrom)?\s*'(\.[^']+)'/gm;

/** Weighs a file together with every file that it loads statically, through others too. Types load nothing. */
export function weighLoaded(texts: ReadonlyMap<string, string>, entry: string): Weight {
  const loaded = new Set([entry]);
  for (const file of loaded)
    for (const [, target] of texts.get(file)!.matchAll(loadPattern)) {
      const path = join(dirname(file), target!);
      if (texts.has(path)) loaded.add(path);
    }
  return weighFiles([...loaded].map((file) => texts.get(file)!));
}
