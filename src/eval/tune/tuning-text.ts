import { counted } from '../../base/counted.ts';
import { grouped, percent } from '../report/figures.ts';
import type { Tuning } from './tune.ts';

const widest = 16;

/** Renders the rounds of tuning and their result as text. */
export function renderTuning({ rounds, sentences }: Tuning): string {
  const parts = rounds.map(({ questions, choices }) => {
    const rows = choices.map(({ name, accuracy, tokens }) => {
      return `  ${name.padEnd(widest)}${percent(accuracy).padStart(4)} %${grouped(tokens).padStart(9)} tokens an answer\n`;
    });
    return `${counted(questions, 'question')}:\n${rows.join('')}`;
  });
  return `${parts.join('\n')}\n${sentences.map((sentence) => `${sentence}\n`).join('')}`;
}
