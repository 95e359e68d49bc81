import type { Sentence } from '../../../context/sentences/sentences.ts';
import { signOf } from '../sentences/signs.ts';
import { definesTerm } from './definitions.ts';
import type { Intent } from './intents.ts';
import type { ClauseQuery } from './query.ts';

const kindsOfAnswer: readonly Intent[] = ['when', 'duration', 'count', 'who', 'where', 'how', 'whether'];
const stamp = /^\W{0,3}[\dTZ:.,+/ -]{5,32}\W*/;
const underHeading = 0.8;
/** Matches a reverted change, which is not the cause. */
const undone = /\broll(?:ed|s)?[ -]?back\b|\brevert|\brestor/i;

/** Returns how strongly a sentence looks like the kind of answer that a clause asks for, 0–1. */
export function answerSign({ intents, about, effect }: ClauseQuery, sentence: Sentence): number {
  const { text, under } = sentence;
  if (intents.has('definition')) return Math.max(definesTerm(sentence, about), signOf('where', text) / 2);
  if (intents.has('change'))
    return effect !== null && undone.test(text) ? 0 : signOf('change', text.replace(stamp, ''));
  if (intents.has('why')) return Math.max(signOf('why', text), under === '' ? 0 : signOf('why', under) * underHeading);
  if (intents.has('end')) return signOf('when', text) * signOf('end', text);
  if (intents.has('done')) return signOf('done', text);
  const wanted = kindsOfAnswer.filter((intent) => intents.has(intent));
  if (wanted.length === 0) return intents.has('failure') ? signOf('failure', text) : 0;
  const body = intents.has('when') ? text : text.replace(stamp, '');
  return wanted.reduce((sum, intent) => sum + signOf(intent, body), 0) / wanted.length;
}

/** Whether only sentences that look like an answer count, where there are any. */
export function needsSign({ intents }: ClauseQuery): boolean {
  return intents.has('why') || intents.has('definition') || intents.has('duration') || intents.has('count');
}
