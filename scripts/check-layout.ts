import { fileURLToPath } from 'node:url';
import { findViolations, readSource } from './layout.ts';
import { type Weight, weigh, weighLoaded } from './weigh.ts';

const source = fileURLToPath(new URL('../src', import.meta.url));
const violations = await findViolations(source);
for (const { file, imports, why } of violations)
  console.error(`src/${file}${imports === null ? '' : ` imports src/${imports}`}: ${why}`);

const row = (name: string, { files, lines }: Weight): string =>
  `${name.padEnd(16)}${String(lines).padStart(8)} lines ${String(files).padStart(5)} files`;

const texts = await readSource(source);
const weight = weigh(texts);
for (const [room, ofRoom] of weight.rooms) console.log(row(room, ofRoom));
console.log(row('src', weight));
console.log(row('controller.ts', weighLoaded(texts, 'controller.ts')), 'loaded statically');
console.log(`${weight.small} files have 25 lines or fewer`);

if (violations.length > 0) process.exitCode = 1;
else console.log('layout: no import breaks a rule');
