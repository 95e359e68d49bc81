import { counted } from '../../base/counted.ts';
import type { DoctorReport, ReportedModel } from '../../index.ts';
import { type Output, printable } from '../terminal.ts';

const signs = { ok: ['green', '✔'], note: ['yellow', '!'], problem: ['red', '✘'] } as const;

/** Rounds a rate, to at least 1. */
const whole = (perSecond: number): number => Math.max(1, Math.round(perSecond));

/** The number of models that fit one screen. The JSON output lists all of them. */
const shownModels = 10;

function priceOf({ price }: ReportedModel): string {
  if (price === null) return 'price unknown';
  return price.input + price.output === 0 ? '' : `$${price.input}/$${price.output} per million tokens`;
}

function modelLine(model: ReportedModel): string {
  const { name, provider, sizeBytes, windowTokens, tools, thinking, structuredOutput, capabilities, jobs, speed } =
    model;
  const size = sizeBytes === null ? '' : `${(sizeBytes / 1e9).toFixed(1)} GB`;
  const window = windowTokens === null ? '' : counted(windowTokens, 'token');
  const can = [tools && 'tools', structuredOutput && 'JSON', thinking && 'thinking'].filter(Boolean).join(', ');
  const use =
    jobs.length > 0 ? [can, priceOf(model), `for ${jobs.join(', ')}`] : [capabilities.join(', '), 'cannot chat'];
  const pace = speed && `reads ${whole(speed.read)} and writes ${whole(speed.written)} tokens per second here`;
  const facts = [size, window, ...use, pace].filter(Boolean).join(' · ');
  return `  ${model.isChosen ? '→' : ' '} ${provider}/${name}  ${facts}\n`;
}

function modelList(models: readonly ReportedModel[]): string {
  if (models.length === 0) return '';
  const chosenFirst = models.toSorted((a, b) => Number(b.isChosen) - Number(a.isChosen));
  const more = models.length - shownModels;
  const rest = more > 0 ? `    … and ${more} more (--json)\n` : '';
  return `\nModels (→ is the one in use):\n${chosenFirst.slice(0, shownModels).map(modelLine).join('')}${rest}`;
}

/** Formats the report as text. */
export function renderDoctor({ checks, models, answersWith: who, next }: DoctorReport, stdout: Output): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.map(({ name, state, message, fix }) => {
    const [color, sign] = signs[state];
    const fixLine = fix ? `  ${' '.repeat(width + 2)}→ ${printable(fix)}\n` : '';
    return `${stdout.style(color, sign)} ${name.padEnd(width)}  ${printable(message)}\n${fixLine}`;
  });
  const end = who === null ? 'rlm cannot answer questions now.' : `Questions are answered by ${who}.`;
  const more = next.length > 0 ? `Next steps:\n${next.map((one) => `  ${printable(one)}\n`).join('')}` : '';
  return `${lines.join('')}${printable(modelList(models))}\n${end}\n${more}`;
}
