/** Creates questions, calls and replies for layers of the door, with only the fields that a layer reads. */

import type { Archive, KeptReply } from '../../src/run/door/archive.ts';
import type { ServingModel } from '../../src/run/door/asked.ts';
import type { IdentifiedCall, Obtained, ParsedObtained, PromptRequest } from '../../src/run/door/layer.ts';

export const modelNamed = (name: string, more: object = {}): ServingModel =>
  ({
    provider: { name: 'fake' },
    info: { model: name, structuredOutput: true, tools: false, spends: 'tokens', size: 70 },
    price: null,
    window: { tokens: 1_000, passageBytes: 1_000 },
    sizing: { scaled: (tokens: number) => tokens, counted: () => {}, refused: () => {} },
    ...more,
  }) as unknown as ServingModel;

export const questionTo = (model: ServingModel, more: Partial<PromptRequest> = {}): PromptRequest => ({
  input: { prompt: 'query', variables: { text: 'Why?' } },
  place: { path: '0', share: 'ordinary' },
  model,
  form: 'plain',
  thinksLess: false,
  failed: null,
  ...more,
});

export const said = (text: string): ParsedObtained => ({
  ...{ from: 'run', number: null, reply: keptReply(text) },
  parsed: { class: 'ok', reply: { reply: text } as never },
});

export const unread = (problem: string, more: Partial<ParsedObtained> = {}): ParsedObtained => ({
  ...{ from: 'run', number: null, reply: keptReply('what?') },
  parsed: { class: 'failed', problem },
  ...(more as object),
});

export const callTo = (model: ServingModel, hash: string, more: Partial<IdentifiedCall> = {}): IdentifiedCall => ({
  ...questionTo(model),
  tools: [],
  reasoning: { level: null, isDefault: true },
  messages: [{ role: 'user', content: 'Why?' }],
  supplement: '',
  turns: [],
  identity: { place: '0 query 1', prompt: 'query', hash, parts: {}, question: 'Why?' },
  signal: new AbortController().signal,
  ...more,
});

export const keptReply = (text: string, more: Partial<KeptReply> = {}): KeptReply => ({
  text,
  tokens: { input: 10, output: 2 },
  finish: 'stop',
  tries: 1,
  ...more,
});

export const fromModel = (text: string, number = 1): Obtained => ({
  reply: keptReply(text),
  from: 'model',
  number,
  startedAt: 0,
});

/** Creates an archive with replies by hash, and records the replies that are stored in it. */
export function archiveOf(name: Archive['name'], replies: Readonly<Record<string, KeptReply>> = {}) {
  const kept: { readonly hash: string; readonly reply: KeptReply; readonly isUsable: boolean }[] = [];
  const archive: Archive = {
    name,
    replays: name !== 'cache',
    find: async ({ hash }) => replies[hash] ?? null,
    keep: async ({ hash }, reply, isUsable) => void kept.push({ hash, reply, isUsable }),
  };
  return { archive, kept };
}

export const settingsWith = (more: object = {}) =>
  ({
    temperatures: { query: 0 },
    reply: { maxTokens: 100 },
    seed: null,
    cache: { enabled: false },
    failCount: 0,
    ...more,
  }) as never;
