/** Writes the texts and questions of a suite into a folder. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lineOf, type Suite } from './suite.ts';

/** Writes the suite, and returns the path of its questions. */
export function writeSuite({ texts, questions }: Suite, folder: string): string {
  for (const [path, text] of texts) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const list = join(folder, 'questions.jsonl');
  writeFileSync(list, `${questions.map(lineOf).join('\n')}\n`);
  return list;
}
