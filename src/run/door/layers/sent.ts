/** The innermost layer: sends a request, watches its reply arrive, and emits each part of an answer as it arrives. */
import { soonAfterAbort } from '../../../base/abort.ts';
import { now } from '../../../base/time.ts';
import type { Settings } from '../../../config/settings.ts';
import { RlmError } from '../../../errors.ts';
import { answeringPrompts, belowFields, type PromptName } from '../../../prompts/index.ts';
import { proseSoFar, withoutThinking } from '../../../prompts/reply/read-reply.ts';
import { completeReply } from '../../../providers/complete.ts';
import type { Message, ModelReply, ModelRequest } from '../../../providers/provider.ts';
import { withAnswer } from '../../../providers/thinking.ts';
import type { Redactor } from '../../../secrets/redactor.ts';
import type { EventBody } from '../../events.ts';
import { type Asked, requestOf } from '../asked.ts';
import type { Budget } from '../budget.ts';
import type { DoorParts } from '../layer.ts';
import { beforeRepetition, type Silence, untilSilent } from '../silence.ts';
import { messageTokens, pictureTokens } from '../window.ts';
import type { Coming, Request } from './settled.ts';

const answering: readonly PromptName[] = answeringPrompts;

const givesAnswer = ({ input, form, place }: Asked): boolean =>
  form === 'plain' && place.path === '0' && place.isPiece !== true && answering.includes(input.prompt);

function commonLength(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && one.charCodeAt(length) === other.charCodeAt(length)) length += 1;
  return length;
}

/** Removes an unpaired high surrogate at the end. */
const wholeCharacters = (text: string): string => (/[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text);

/**
 * Creates the emitter of `answer.progress` for one request. `come` takes the text so far; `end` takes the whole reply.
 * Text that may be the beginning of a secret is held back until more text arrives.
 */
export function createToldAnswer(asked: Asked, number: number, redactor: Redactor, emit: (event: EventBody) => void) {
  if (!givesAnswer(asked)) return { come: () => {}, end: () => {} };
  const below = belowFields(asked.input);
  let emitted = '';
  let safe = 0;
  function tell(text: string): void {
    const from = commonLength(emitted, text);
    if (from === emitted.length && from === text.length) return;
    emitted = text;
    emit({ type: 'answer.progress', call: number, from, text: text.slice(from) });
  }
  return {
    come(text: string): void {
      safe = Math.max(safe, text.length - redactor.pending(text));
      tell(wholeCharacters(redactor.text(proseSoFar(text.slice(0, safe), below))));
    },
    end: (text: string): void => tell(redactor.text(proseSoFar(text, below))),
  };
}

const progressEveryMs = 250;
/** Shortest time between two emitted parts of an answer. It is short, because people read the parts as they arrive. */
const wordsEveryMs = 80;
/** Characters between two checks for endless repetition. */
const checkedEvery = 200;

/** Number of prompt tokens that a slow machine reads within the default call timeout: 17 per second for 120 s. */
const readInLimit = 2_048;

/** Returns how long a call may be silent. A model on the user's own server gets more time for a longer prompt. */
function silenceFor({ model, messages }: Asked, { budget }: Settings): Silence {
  const seconds = budget.callTimeout;
  const ms = seconds * 1_000;
  const late = () =>
    new RlmError('call-timeout', `the model was silent for ${seconds} s`, {
      hint: 'Allow more with --call-timeout (setting budget.callTimeout), or use a smaller model.',
    });
  if (model.info.spends !== 'tokens') return { ms, firstMs: ms, late, hearing: null };
  return { ms, firstMs: ms * (1 + messageTokens(messages) / readInLimit), late, hearing: model.hearing };
}

function endRepetition(coming: Coming, end: (reason: Error) => void): void {
  if (coming.text.length - coming.checkedLength < checkedEvery) return;
  coming.checkedLength = coming.text.length;
  if (beforeRepetition(coming.text) === null) return;
  end(new RlmError('reply-unusable', 'the model repeated the same words without end'));
}

/**
 * No text has this many characters per token. If a reply has more characters than this for each allowed token, the
 * server ignores the limit.
 */
const mostPerToken = 8;

function endFlood({ characters }: Coming, { maxOutputTokens }: ModelRequest, end: (reason: Error) => void): void {
  if (characters <= mostPerToken * maxOutputTokens) return;
  end(
    new RlmError('reply-unusable', `the model wrote more than the ${maxOutputTokens} tokens that it was allowed`, {
      hint: 'The server ignores the limit of a reply (reply.maxTokens). See its log, or use another model (--model).',
    }),
  );
}

const begunThinking = (text: string): boolean => /^\s*<think/i.test(text) && withoutThinking(text) === '';

const thinkingOf = ({ thinksSince }: Coming) =>
  thinksSince === null ? {} : { thinkingMs: Math.round(now() - thinksSince) };

const holdsThinking = (text: string): boolean =>
  /^<think/i.test(text) || (!/^[{[]/.test(text) && /<\/think/i.test(text));

function saidIn(reply: ModelReply, call: Asked, settings: Settings, budget: Budget): ModelReply {
  if (!holdsThinking(reply.text.trimStart())) return reply;
  const said = { ...reply, text: withoutThinking(reply.text) };
  return withAnswer(said, true, call.model.info.model, requestOf(call, settings, budget));
}

function throttled(everyMs: number, show: (characters: number) => void): (characters: number) => void {
  let shownAt = Number.NEGATIVE_INFINITY;
  return (characters) => {
    if (now() - shownAt < everyMs) return;
    shownAt = now();
    show(characters);
  };
}

/** Loads the bytes of the pictures just before sending, to spare memory. */
async function withPictures(request: ModelRequest): Promise<ModelRequest> {
  const load = async (message: Message): Promise<Message> => {
    if (message.role !== 'user' || message.pictures === undefined) return message;
    const pictures = message.pictures.map(async (picture) => ({ ...picture, data: await picture.load() }));
    return { ...message, pictures: await Promise.all(pictures) };
  };
  return { ...request, messages: await Promise.all(request.messages.map(load)) };
}

/** Sends requests to the provider of the call's model, ends silent ones, and reports progress. */
export function sent(parts: Pick<DoorParts, 'settings' | 'budget' | 'redactor' | 'emit'>): Request {
  const { settings, budget, redactor, emit } = parts;
  return async (call, number, coming) => {
    const { provider, overlap } = call.model;
    const working = overlap.begin();
    const answer = createToldAnswer(call, number, redactor, emit);
    const showProgress = throttled(progressEveryMs, (characters) =>
      emit({ type: 'call.progress', call: number, path: call.place.path, characters, ...thinkingOf(coming) }),
    );
    const showWords = throttled(wordsEveryMs, () => answer.come(coming.text));
    const onNotice = (message: string) => emit({ type: 'warning', code: 'model', message });
    const send = async (signal: AbortSignal, onSign: () => void, end: (reason: Error) => void) => {
      const request = requestOf(call, settings, budget);
      const onProgress = (characters: number, text = '', isThinking = false) => {
        onSign();
        working.sign();
        coming.firstAt ??= now();
        Object.assign(coming, { characters, text });
        coming.thinksSince = isThinking || begunThinking(text) ? (coming.thinksSince ?? now()) : null;
        endRepetition(coming, end);
        endFlood(coming, request, end);
        showProgress(characters);
        showWords(characters);
      };
      const whole = pictureTokens(call.messages) === 0 ? request : await withPictures(request);
      return completeReply(
        provider.name,
        await soonAfterAbort(provider.call(whole, { signal, onProgress, onNotice }), signal),
      );
    };
    try {
      const reply = saidIn(await untilSilent(silenceFor(call, settings), call.signal, send), call, settings, budget);
      answer.end(reply.text);
      return reply;
    } finally {
      working.end();
    }
  };
}
