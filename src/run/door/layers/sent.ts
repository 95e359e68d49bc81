import { now } from '../../../base/clock.ts';
import type { Settings } from '../../../config/settings.ts';
import { RlmError } from '../../../errors.ts';
import type { Asked } from '../asked.ts';
import type { DoorParts } from '../layer.ts';
import { requestOf } from '../request.ts';
import { beforeRepetition } from '../serving/repetition.ts';
import { type Silence, untilSilent } from '../serving/silence.ts';
import { createToldAnswer } from '../told-answer.ts';
import { messageTokens } from '../window.ts';
import type { Coming, Request } from './settled.ts';

const progressEveryMs = 250;
/** Interval between `answer.progress` events, in ms: people read the words as they arrive. */
const wordsEveryMs = 80;
/** Characters between two checks for endless repetition. */
const looksEvery = 200;

/** Prompt tokens that a slow machine reads within the default call timeout: 17 per second for 120 s. */
const readInLimit = 2_048;

function callTimeout(seconds: number): RlmError {
  return new RlmError('call-timeout', `the model was silent for ${seconds} s`, {
    hint: 'Allow more with --call-timeout (setting budget.callTimeout), or use a smaller model.',
  });
}

/**
 * Returns how long a call may be silent. On the user's own server calls may wait for each other, and reading a prompt
 * takes long.
 */
function silenceFor({ model, messages }: Asked, { budget }: Settings): Silence {
  const seconds = budget.callTimeout;
  const ms = seconds * 1_000;
  const late = () => callTimeout(seconds);
  if (model.info.spends !== 'tokens') return { ms, firstMs: ms, late, hearing: null };
  return { ms, firstMs: ms * (1 + messageTokens(messages) / readInLimit), late, hearing: model.hearing };
}

/** Ends a call whose reply repeats itself endlessly. */
function endRepetition(coming: Coming, end: (reason: Error) => void): void {
  if (coming.text.length - coming.lookedAt < looksEvery) return;
  coming.lookedAt = coming.text.length;
  if (beforeRepetition(coming.text) === null) return;
  end(new RlmError('reply-unusable', 'the model repeated the same words without end'));
}

/** Returns `show` limited to one call per `everyMs`; the first call is immediate. */
function rarely(everyMs: number, show: (characters: number) => void): (characters: number) => void {
  let shownAt = Number.NEGATIVE_INFINITY;
  return (characters) => {
    if (now() - shownAt < everyMs) return;
    shownAt = now();
    show(characters);
  };
}

/**
 * Sends requests to the provider of the call's model, ends those that are silent for too long, and reports progress.
 */
export function sent({
  settings,
  budget,
  redactor,
  emit,
}: Pick<DoorParts, 'settings' | 'budget' | 'redactor' | 'emit'>): Request {
  return async (call, number, coming) => {
    const { provider, overlap } = call.model;
    const working = overlap.begin();
    const told = createToldAnswer(call, number, redactor, emit);
    const showProgress = rarely(progressEveryMs, (characters) =>
      emit({ type: 'call.progress', call: number, path: call.place.path, characters }),
    );
    const showWords = rarely(wordsEveryMs, () => told.come(coming.text));
    const onNotice = (message: string) => emit({ type: 'warning', message });
    const send = (signal: AbortSignal, onSign: () => void, end: (reason: Error) => void) => {
      const onProgress = (characters: number, text = '') => {
        onSign();
        working.sign();
        coming.firstAt ??= now();
        Object.assign(coming, { characters, text });
        endRepetition(coming, end);
        showProgress(characters);
        showWords(characters);
      };
      return provider.call(requestOf(call, settings, budget), { signal, onProgress, onNotice });
    };
    try {
      const reply = await untilSilent(silenceFor(call, settings), call.signal, send);
      told.end(reply.text);
      return reply;
    } finally {
      working.end();
    }
  };
}
