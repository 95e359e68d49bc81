import { randomInt } from 'node:crypto';
import { RlmError } from '../../errors.ts';
import type { CallOptions, Message, ModelReply, ModelRequest, TokenOdds } from '../provider.ts';
import { thinkingTokens, withAnswer } from '../thinking.ts';
import { asObject, type Json } from '../wire/json.ts';
import type { HistoryItem, LlamaGrammar, LlamaModel, LlamaSequence, LlamaToken } from './interface.ts';
import { fromNative, type LoadedModel } from './model.ts';

/** Maximum number of values of a bounded integer. More values would make the grammar too large. */
const mostNumbers = 1_000;

/** Returns all values of a bounded integer, because a grammar cannot state bounds; null for other schemas. */
function numbersOf({ type, minimum, maximum }: Json): number[] | null {
  if (type !== 'integer' || typeof minimum !== 'number' || typeof maximum !== 'number') return null;
  const count = Math.floor(maximum) - Math.ceil(minimum) + 1;
  if (!(count > 0 && count <= mostNumbers)) return null;
  return Array.from({ length: count }, (_, place) => Math.ceil(minimum) + place);
}

function convert(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convert);
  if (typeof value !== 'object' || value === null) return value;
  const { anyOf, ...rest } = asObject(value);
  const numbers = numbersOf(rest);
  if (numbers !== null) return { enum: numbers };
  const inner = Object.fromEntries(Object.entries(rest).map(([key, part]) => [key, convert(part)]));
  return anyOf === undefined ? inner : { ...inner, oneOf: convert(anyOf) };
}

/** Copies a schema. Replaces `anyOf` with `oneOf`, and each bounded integer with the list of its values. */
export const grammarSchema = (schema: object): object => convert(schema) as object;

type LikelyToken = TokenOdds['alternatives'][number];

const mostAlternatives = 20;

/** @param sequence has already read the prompt except its `last` token. */
async function likelyNext(sequence: LlamaSequence, model: LlamaModel, last: LlamaToken): Promise<LikelyToken[]> {
  const wanted = { logits: { filter: { includeTop: mostAlternatives } }, totalLogitWeight: true } as const;
  const [output] = await sequence.controlledEvaluate([[last, { generateNext: wanted }]]);
  const { logits, totalLogitWeight } = output?.next ?? {};
  if (logits === undefined || totalLogitWeight === undefined) return [];
  const highest = Math.max(...logits.values());
  // The package's weight is the sum of exp(logit - highest).
  const logOfAll = highest + Math.log(totalLogitWeight);
  return [...logits].map(([token, logit]) => ({ token: model.detokenize([token]), logprob: logit - logOfAll }));
}

/** Returns a reply as two tokens: the first with its alternatives, and the rest. */
function oddsOf(reply: string, likely: readonly LikelyToken[]): TokenOdds[] {
  const first = likely.find(({ token }) => token !== '' && reply.startsWith(token));
  if (first === undefined) return [];
  return [
    { ...first, alternatives: likely },
    { token: reply.slice(first.token.length), logprob: 0, alternatives: [] },
  ];
}

/** The defaults of llama.cpp. Without them, any token of the vocabulary may be chosen. */
const sampling = { topK: 40, topP: 0.95 } as const;

/** Tokens to leave unused, because the package drops text when a conversation almost fills its window. */
const spareTokens = 4;

function toItem(message: Message): HistoryItem {
  const { role, content } = message;
  if (role === 'assistant') return { type: 'model', response: [content] };
  return role === 'tool' ? { type: 'user', text: `${message.name}: ${content}` } : { type: role, text: content };
}

function tooLong(name: string, tokens: number, windowTokens: number): RlmError {
  const message = `the prompt does not fit ${name}'s window: it has ${tokens} tokens, and the window has ${windowTokens}`;
  return new RlmError('prompt-too-long', message, {
    hint: 'Raise context.maxWindowTokens (RLM_MAX_WINDOW_TOKENS) if the model and the memory allow it, or lower context.passages.',
  });
}

/** Returns the grammar of a schema; null if no grammar can express it, so that only the prompt states it. */
async function grammarFor({ llama }: LoadedModel, schema: object | null): Promise<LlamaGrammar | null> {
  if (schema === null) return null;
  return llama.createGrammarForJsonSchema(grammarSchema(schema)).catch(() => null);
}

/** Reads the prompt in steps, because the package checks for an abort only while it writes. */
async function read(
  sequence: LlamaSequence,
  tokens: readonly LlamaToken[],
  batchSize: number,
  signal: AbortSignal,
): Promise<void> {
  const last = tokens.length - 1;
  await sequence.adaptStateToTokens(tokens.slice(0, last), false);
  while (sequence.nextTokenIndex < last) {
    signal.throwIfAborted();
    const from = sequence.nextTokenIndex;
    await sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(from, Math.min(last, from + batchSize)));
  }
}

async function openSession(windowTokens: number, { model, module, threads, batchSize, complaint }: LoadedModel) {
  const making = model.createContext({ contextSize: windowTokens, batchSize, threads });
  const context = await making.catch((error: unknown) => {
    throw fromNative(error, `make room for a window of ${windowTokens} tokens`, complaint());
  });
  const sequence = context.getSequence();
  return { windowTokens, context, sequence, chat: new module.LlamaChat({ contextSequence: sequence }) };
}

/** Creates the function that lets a loaded model reply. Calls of the function must not overlap. */
export function createChat(loaded: LoadedModel, name: string) {
  let session: Awaited<ReturnType<typeof openSession>> | null = null;

  async function open(windowTokens: number) {
    if (session?.windowTokens === windowTokens) return session;
    await session?.context.dispose();
    session = null;
    session = await openSession(windowTokens, loaded);
    return session;
  }

  return async (request: ModelRequest, { signal, onProgress }: CallOptions): Promise<ModelReply> => {
    const { maxOutputTokens, temperature, seed, windowTokens } = request;
    const current = await open(windowTokens);
    const { chat, sequence } = current;
    // The package appends the reply to the last item of the history.
    const history: HistoryItem[] = [...request.messages.map(toItem), { type: 'model', response: [] }];
    const { contextText } = chat.chatWrapper.generateContextState({ chatHistory: history });
    const tokens = contextText.tokenize(loaded.model.tokenizer);
    const room = current.context.contextSize - tokens.length - spareTokens;
    if (room < 1) throw tooLong(name, tokens.length, windowTokens);
    const grammar = await grammarFor(loaded, request.schema);
    await read(sequence, tokens, loaded.batchSize, signal);
    const likely = request.logprobs ? await likelyNext(sequence, loaded.model, tokens.at(-1)!) : [];
    // A grammar applies from the first token, so a model that thinks first would have to think in JSON.
    const reasoning = grammar === null ? request.reasoning : 'none';
    const before = sequence.tokenMeter.usedOutputTokens;
    let said = '';
    let thinking = 0;
    const { response, metadata } = await chat.generateResponse(history, {
      signal,
      maxTokens: Math.min(maxOutputTokens, room),
      temperature,
      ...sampling,
      // The package's own seed would be the same for all calls within one second.
      seed: seed ?? randomInt(2 ** 31),
      ...(grammar === null ? {} : { grammar }),
      ...(reasoning === null ? {} : { budgets: { thoughtTokens: thinkingTokens[reasoning] } }),
      // A penalty would corrupt quotes, which repeat the text.
      repeatPenalty: false,
      onResponseChunk: ({ type, text }) => {
        if (type === 'segment') thinking += text.length;
        else said += text;
        onProgress?.(said.length + thinking, said, thinking > 0 && said === '');
      },
    });
    const odds = oddsOf(response, likely);
    const reply: ModelReply = {
      text: response,
      toolCalls: [],
      ...(odds.length > 0 && { logprobs: odds }),
      tokens: { input: tokens.length, output: sequence.tokenMeter.usedOutputTokens - before },
      finish: metadata.stopReason === 'maxTokens' ? 'length' : 'stop',
    };
    return withAnswer(reply, thinking > 0, name, request);
  };
}
