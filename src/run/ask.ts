import { now } from '../clock.ts';
import type { Settings } from '../config/settings.ts';
import { RlmError, toRlmError } from '../errors.ts';
import { describeReply, type Fields, replySchema } from '../prompts/fields.ts';
import { type PromptInput, type PromptName, prompts, type Reply, type Variables } from '../prompts/index.ts';
import { type ParsedReply, parseReply } from '../prompts/parse-reply.ts';
import { renderPrompt, type Templates } from '../prompts/template.ts';
import type { Message, ModelInfo, ModelReply, Provider } from '../providers/provider.ts';
import type { Tokens } from '../state.ts';
import type { Budget, Share } from './budget.ts';
import type { EventBody } from './events.ts';
import type { Limiter } from './limiter.ts';
import { withRetries } from './retry.ts';
import type { Place, Run } from './run.ts';
import { messageTokens, tokensOf } from './window.ts';

/** What the door needs. */
export interface DoorParts {
  readonly provider: Provider;
  readonly info: ModelInfo;
  readonly templates: Templates;
  readonly settings: Settings;
  readonly windowTokens: number;
  readonly budget: Budget;
  readonly limiter: Limiter;
  /** Aborted when calls of that share must end. */
  readonly signals: Readonly<Record<Share, AbortSignal>>;
  emit(event: EventBody): void;
}

interface Call {
  readonly number: number;
  readonly input: PromptInput;
  readonly messages: readonly Message[];
  readonly place: Place;
  readonly repair: boolean;
}

/** A reply's text, and what it was read as. */
interface Said<F extends Fields> {
  readonly text: string;
  readonly parsed: ParsedReply<F>;
}

const progressEveryMs = 250;

/** Aborts with a `call-timeout` after the time that one call may take. */
function callDeadline(seconds: number): { signal: AbortSignal; clear(): void } {
  const controller = new AbortController();
  const error = new RlmError('call-timeout', `the model did not finish within ${seconds} s`, {
    hint: 'Allow more with --call-timeout (setting budget.callTimeout), or use a smaller model.',
  });
  const timer = setTimeout(() => controller.abort(error), seconds * 1000);
  return { signal: controller.signal, clear: () => clearTimeout(timer) };
}

/** The tokens as the provider counted them, else estimated from the sizes. */
const tokensUsed = (messages: readonly Message[], reply: ModelReply): Tokens =>
  reply.tokens ?? { input: messageTokens(messages), output: tokensOf(Buffer.byteLength(reply.text)) };

/** The one door to a model: every call of the program goes through the function that this makes. */
export function createDoor(parts: DoorParts): Run['ask'] {
  const { provider, info, settings, budget, limiter, emit } = parts;
  const form = info.structuredOutput ? 'json' : 'labelled';
  let calls = 0;

  function checkFits(messages: readonly Message[], prompt: PromptName): void {
    const needed = messageTokens(messages) + settings.reply.maxTokens;
    if (needed <= parts.windowTokens) return;
    throw new RlmError(
      'prompt-too-long',
      `the ${prompt} prompt needs about ${needed} tokens, the window has ${parts.windowTokens}`,
      { hint: 'Raise context.maxWindowTokens where the model can do more, or lower context.passages.' },
    );
  }

  function progress(call: Call): (characters: number) => void {
    let last = 0;
    return (characters) => {
      const at = now();
      if (at - last < progressEveryMs) return;
      last = at;
      emit({ type: 'call.progress', call: call.number, path: call.place.path, characters });
    };
  }

  async function once(call: Call, signal: AbortSignal): Promise<ModelReply> {
    const deadline = callDeadline(settings.budget.callTimeout);
    try {
      const request = {
        input: call.input,
        messages: call.messages,
        schema: info.structuredOutput ? replySchema(prompts[call.input.prompt].fields) : null,
        temperature: settings.temperatures[call.input.prompt],
        maxOutputTokens: settings.reply.maxTokens,
        windowTokens: parts.windowTokens,
      };
      const both = AbortSignal.any([signal, deadline.signal]);
      return await provider.call(request, { signal: both, onProgress: progress(call) });
    } finally {
      deadline.clear();
    }
  }

  function send(call: Call, signal: AbortSignal): Promise<ModelReply> {
    const { share, path } = call.place;
    return withRetries(() => once(call, signal), {
      signal,
      timeLeftMs: () => budget.timeLeftMs(share),
      onRetry: (attempt, waitMs, error) =>
        emit({ type: 'call.retried', call: call.number, path, attempt, waitMs, error: error.toInfo() }),
    });
  }

  /** Sends a call and tells how it went. It counts from here on: one that is cancelled while it waits was none. */
  async function tracked<F extends Fields>(fields: F, call: Call, signal: AbortSignal): Promise<Said<F>> {
    const { messages, repair } = call;
    const about = { call: call.number, path: call.place.path, prompt: call.input.prompt };
    const startedAt = now();
    const timeMs = () => Math.round(now() - startedAt);
    emit({ type: 'call.started', ...about, repair });
    try {
      const reply = await send(call, signal);
      const parsed = parseReply(fields, reply.text, reply.finish === 'length');
      const replyClass = repair && parsed.class === 'ok' ? 'repaired' : parsed.class;
      const tokens = tokensUsed(messages, reply);
      emit({ type: 'call.completed', ...about, reply: replyClass, tokens, timeMs: timeMs() });
      return { text: reply.text, parsed };
    } catch (thrown) {
      const error = toRlmError(thrown);
      emit({ type: 'call.failed', ...about, error: error.toInfo(), timeMs: timeMs() });
      throw error;
    }
  }

  async function perform<F extends Fields>(fields: F, call: Omit<Call, 'number'>): Promise<Said<F>> {
    const { share } = call.place;
    const signal = parts.signals[share];
    checkFits(call.messages, call.input.prompt);
    signal.throwIfAborted();
    budget.reserve(share);
    return limiter(() => {
      calls += 1;
      return tracked(fields, { number: calls, ...call }, signal);
    }, signal);
  }

  return async function ask<N extends PromptName>(prompt: N, variables: Variables<N>, place: Place) {
    const { fields } = prompts[prompt];
    const format = describeReply(fields, form);
    const { system, user } = renderPrompt(parts.templates, prompt, variables, format);
    const input = { prompt, variables } as unknown as PromptInput;
    const messages: Message[] = [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ];
    const first = await perform(fields, { input, messages, place, repair: false });
    if (first.parsed.class !== 'failed') return first.parsed.reply as Reply<N>;

    const repair = repairTurn(messages, first.text, first.parsed.problem, format);
    const second = await perform(fields, { input, messages: repair, place, repair: true }).catch((error: RlmError) => {
      if (error.code === 'limit-calls' || error.code === 'prompt-too-long') return first;
      throw error;
    });
    if (second.parsed.class !== 'failed') return second.parsed.reply as Reply<N>;
    throw unusable(prompt, second.parsed.problem, second.text);
  };
}

/** Shows the model its own reply and what was wrong with it. A long reply is shown in part: its form is what matters. */
function repairTurn(messages: readonly Message[], text: string, problem: string, format: string): Message[] {
  return [
    ...messages,
    { role: 'assistant', content: text.slice(0, 2_000) },
    { role: 'user', content: `Your reply could not be used: ${problem}.\n\n${format}` },
  ];
}

function unusable(prompt: PromptName, problem: string, text: string): RlmError {
  const began = JSON.stringify(text.slice(0, 80));
  return new RlmError(
    'reply-unusable',
    `the model's reply to the ${prompt} prompt cannot be used: ${problem}; it began ${began}`,
    {
      hint: 'Try again, or use a model that follows instructions better (--model).',
    },
  );
}
