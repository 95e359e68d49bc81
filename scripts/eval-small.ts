/**
 * Asks a fixed set of questions about the texts of this repository (scripts/eval-small/questions.jsonl), of a real
 * model if one is named, otherwise without a model. Always prints a section for docs/results.md: date, model, digest,
 * settings and tables.
 *
 *   npm run eval:small                                          without a model
 *   npm run eval:small -- --model qwen2.5-coder:1.5b            with a model of Ollama
 *   npm run eval:small -- --arms plain,direct --first 10        some arms, and the first questions of each kind
 *   npm run eval:small -- --arm "cold: temperatures.answer=0"   also an arm with other settings
 *   npm run eval:small -- --resume                              continues after a kill
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { renderMarkdown } from '../src/eval/report/render.ts';
import { runEval } from '../src/eval/run-eval.ts';
import { readSamples, type Sample } from '../src/eval/samples/read-samples.ts';

const { values } = parseArgs({
  options: {
    model: { type: 'string' },
    provider: { type: 'string' },
    arms: { type: 'string', default: 'plain,rag,direct,auto' },
    arm: { type: 'string', multiple: true, default: [] },
    first: { type: 'string' },
    resume: { type: 'boolean', default: false },
  },
});

const suite = fileURLToPath(new URL('eval-small/questions.jsonl', import.meta.url));

/** Returns the first questions, the kinds in turn, so that a small number covers all kinds. */
function inTurns(samples: readonly Sample[], count: number): readonly Sample[] {
  const kinds = [...new Set(samples.map(({ tags }) => tags[0]))];
  const turn = (sample: Sample) => samples.filter(({ tags }) => tags[0] === sample.tags[0]).indexOf(sample);
  const order = (sample: Sample) => turn(sample) * kinds.length + kinds.indexOf(sample.tags[0]);
  return [...samples].sort((a, b) => order(a) - order(b)).slice(0, count);
}

/** Writes a file with only this many questions, with absolute paths. */
function shortened(count: number): string {
  const path = join(mkdtempSync(join(tmpdir(), 'rlm-eval-small-')), 'questions.jsonl');
  const lines = inTurns(readSamples(suite), count).map(({ tokens, decay, ...sample }) => {
    const given = Object.entries(sample).filter(([, value]) => value !== null && value !== undefined);
    return JSON.stringify(Object.fromEntries(given));
  });
  writeFileSync(path, lines.join('\n'));
  return path;
}

const flags = new Map<string, unknown>(
  values.model === undefined
    ? [['provider', 'extractive']]
    : [
        ['provider', values.provider ?? 'ollama'],
        ['model', values.model],
      ],
);

const { report } = await runEval({
  questions: values.first === undefined ? suite : shortened(Number(values.first)),
  arms: values.arms.split(','),
  describedArms: values.arm,
  baseline: null,
  minimums: [],
  maxRegression: null,
  against: null,
  paths: [],
  flags,
  limits: { calls: null, tokens: null, usd: null },
  resume: values.resume,
  judge: null,
  record: null,
  replay: null,
  signal: new AbortController().signal,
  onProgress: ({ done, total, leftMs }) =>
    console.error(`${done} of ${total}${leftMs === null ? '' : `, ${Math.round(leftMs / 60_000)} min left`}`),
});

const [{ model }] = report.asked as [(typeof report.asked)[number]];
const about = [
  `${report.samples} questions`,
  [...new Set([model?.provider, model?.model])].join(' '),
  ...(model?.digest ? [`digest ${model.digest.slice(0, 12)}`] : []),
  'all other settings as shipped',
];
console.log(`## ${report.startedAt.slice(0, 10)}: ${model?.model}\n\n${about.join(', ')}.\n`);
console.log(renderMarkdown(report).replace(/^## Evaluation.*\n\n.*\n\n/, ''));
