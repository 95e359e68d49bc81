/** Completes the values that a custom provider returns. A provider in plain JavaScript may omit fields. */
import { isObject } from '../base/is-object.ts';
import { RlmError } from '../errors.ts';
import type { ModelInfo, ModelReply } from './provider.ts';

const isCount = (value: unknown): boolean => typeof value === 'number' && value >= 1;

const unusable = (provider: string, what: string): RlmError =>
  new RlmError('usage', `the provider "${provider}" cannot be used: ${what}`, {
    hint: 'The types ModelInfo and ModelReply say what a provider returns.',
  });

/** Sets defaults for omitted fields. Throws RlmError `usage` if a required field is missing or invalid. */
export function completeInfo(provider: string, info: ModelInfo): ModelInfo {
  if (!isObject(info)) throw unusable(provider, 'its "inspect" returned no object');
  const found: ModelInfo = { ...info, callsAtOnce: info.callsAtOnce ?? 1, notices: info.notices ?? [] };
  if (typeof found.model !== 'string') throw unusable(provider, '"model" must be a string');
  for (const field of ['maxWindowTokens', 'callsAtOnce'] as const)
    if (!isCount(found[field])) throw unusable(provider, `"${field}" must be a number, at least 1`);
  if (!['nothing', 'tokens', 'money'].includes(found.spends))
    throw unusable(provider, '"spends" must be "nothing", "tokens" or "money"');
  return found;
}

/** Sets defaults for omitted fields. Throws RlmError `usage` if the `text` of the reply is not a string. */
export function completeReply(provider: string, reply: ModelReply): ModelReply {
  if (!isObject(reply)) throw unusable(provider, 'its "call" returned no object');
  if (typeof reply.text !== 'string') throw unusable(provider, 'the "text" of a reply must be a string');
  return { ...reply, toolCalls: reply.toolCalls ?? [], tokens: reply.tokens ?? null, finish: reply.finish ?? 'stop' };
}
