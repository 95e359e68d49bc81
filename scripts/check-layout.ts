import { fileURLToPath } from 'node:url';
import { findViolations } from './layout.ts';

const violations = await findViolations(fileURLToPath(new URL('../src', import.meta.url)));
for (const { file, imports, why } of violations)
  console.error(`src/${file}${imports === null ? '' : ` imports src/${imports}`}: ${why}`);
if (violations.length > 0) process.exitCode = 1;
else console.log('layout: every import goes the right way');
