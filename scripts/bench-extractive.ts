/**
 * `npm run bench:extractive [-- --half dev [--show-failures]]`: measures how often the extractive provider's answer
 * holds the right line, and holds it first, for labelled questions, compared with a simple baseline. Developers may
 * look at the `dev` half while they improve rules. For the `test` half, only totals are printed.
 */
import { parseArgs } from 'node:util';
import { ask } from '../src/index.ts';
import { halves, type Label, readLabels } from './extractive/labels.ts';
import { plainAnswer } from './extractive/plain.ts';
import { failuresOf, type Outcome, reportOf } from './extractive/report.ts';
import { rotOf } from './extractive/rot.ts';
import { type Answer, score } from './extractive/score.ts';
import { root } from './extractive/texts.ts';

async function ourAnswer({ ask: question, paths }: Label): Promise<Answer> {
  const settings = { provider: 'extractive' } as const;
  const { answer, citations } = await ask(question, { paths, cwd: root, env: {}, settings });
  return { text: answer ?? '', quotes: new Map(citations.map(({ number, quote }) => [number, quote ?? ''])) };
}

const wordCount = ({ text }: Answer): number => text.split(/\s+/).length;

async function outcomeOf(label: Label): Promise<Outcome> {
  const [ours, plain] = [await ourAnswer(label), plainAnswer(label)];
  const words = { ours: wordCount(ours), plain: wordCount(plain) };
  return { label, answer: ours.text, ours: score(label, ours), plain: score(label, plain), words };
}

const { values } = parseArgs({ options: { half: { type: 'string' }, 'show-failures': { type: 'boolean' } } });
const asked = halves.filter((half) => values.half === undefined || values.half === half);
const labels = (await readLabels()).filter(({ half }) => asked.includes(half));
const rot = rotOf(labels);

if (asked.length === 0 || (values['show-failures'] && values.half !== 'dev')) {
  console.error(
    'Usage: npm run bench:extractive [-- --half dev|test [--show-failures]]; failures are shown for dev only.',
  );
  process.exitCode = 2;
} else if (rot.length > 0) {
  console.error(`These labels are no longer valid; compare them with the text and correct them:\n${rot.join('\n')}`);
  process.exitCode = 1;
} else {
  const outcomes: Outcome[] = [];
  for (const label of labels) outcomes.push(await outcomeOf(label));
  for (const half of asked) console.log(`${reportOf(half, outcomes).join('\n')}\n`);
  if (values['show-failures']) console.log(failuresOf(outcomes).join('\n'));
}
