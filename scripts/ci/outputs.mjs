/** Writes what rlm printed as outputs of a GitHub step: each between two lines that no value can hold. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

const text = readFileSync(process.argv[2], 'utf8');
const result = text.trim() === '' ? {} : JSON.parse(text);
const passed = result.checks?.every((check) => check.passed) && result.notAsked === 0;
const status = result.checks ? (passed ? 'passed' : 'failed') : (result.status ?? 'failed');
const outputs = {
  answer: result.answer ?? '',
  confidence: result.confidence ?? '',
  status,
  report: process.env.REPORT ?? '',
};
for (const [name, value] of Object.entries(outputs)) {
  const mark = `end-${randomUUID()}`;
  process.stdout.write(`${name}<<${mark}\n${value}\n${mark}\n`);
}
