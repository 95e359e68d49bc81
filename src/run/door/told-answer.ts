/** Emits an answer while it arrives. */
import { answeringPrompts, belowFields, type PromptName } from '../../prompts/index.ts';
import { proseSoFar } from '../../prompts/reply/prose-so-far.ts';
import type { Redactor } from '../../secrets/redactor.ts';
import type { EventBody } from '../events.ts';
import type { Asked } from './asked.ts';

const answering: readonly PromptName[] = answeringPrompts;

/** Whether the reply is the answer to the task, in prose. */
const givesAnswer = ({ input, form, place }: Asked): boolean =>
  form === 'plain' && place.path === '0' && place.isPiece !== true && answering.includes(input.prompt);

function commonLength(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && one.charCodeAt(length) === other.charCodeAt(length)) length += 1;
  return length;
}

/** Removes half of a surrogate pair at the end. */
const wholeCharacters = (text: string): string => (/[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text);

/** Emits the reply of one request as it arrives, where it is the answer. */
export interface ToldAnswer {
  /** @param text what has arrived so far. */
  come(text: string): void;
  /** @param text the whole reply; empty when there is none. */
  end(text: string): void;
}

const untold: ToldAnswer = { come: () => {}, end: () => {} };

/**
 * Creates the emitter for one request's reply. Text that may be the beginning of a secret waits for the rest.
 * @param number number of its call, from 1.
 */
export function createToldAnswer(
  asked: Asked,
  number: number,
  redactor: Redactor,
  emit: (event: EventBody) => void,
): ToldAnswer {
  if (!givesAnswer(asked)) return untold;
  const below = belowFields(asked.input);
  let told = '';
  let safe = 0;
  function tell(text: string): void {
    const from = commonLength(told, text);
    if (from === told.length && from === text.length) return;
    told = text;
    emit({ type: 'answer.progress', call: number, from, text: text.slice(from) });
  }
  return {
    come(text) {
      safe = Math.max(safe, text.length - redactor.pending(text));
      tell(wholeCharacters(redactor.text(proseSoFar(text.slice(0, safe), below))));
    },
    end: (text) => tell(redactor.text(proseSoFar(text, below))),
  };
}
