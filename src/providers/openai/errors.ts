/** What is particular to failures of a server that speaks OpenAI's API. */

import type { RlmError } from '../../errors.ts';
import { asObject, type Json } from '../wire/json.ts';
import { firstObject, fromBody, notTheServer } from '../wire/server-errors.ts';
import type { OpenAiTarget } from './target.ts';

/**
 * Messages about overlong prompts by OpenAI, vLLM, llama.cpp's server, LM Studio, text-embeddings-inference and
 * gateways.
 */
export const tooLong = new RegExp(
  [
    'maximum (context|input) length',
    'must have less than',
    'too large to process',
    'exceeds? the (available |model.s )?(maximum )?context',
    'context.?(length|size|window).{0,9}exceed',
    'exceed_context_size',
    '(greater|longer|larger|more) than the (available |model.s )?(maximum )?context',
    'context the overflows',
    '(prompt|input) is too long',
    'request too large',
    'reduce the length of the (messages|prompt|input)',
  ].join('|'),
  'i',
);

/** Creates the error for a 200 OK in another protocol. */
export const otherThan = (target: OpenAiTarget, wanted: string, isBeforeCalls = false): RlmError =>
  notTheServer(target, `it answers with something else than ${wanted}`, isBeforeCalls);

/** Creates the error for a failure in a reply that began with 200 OK. */
export function fromOpenAiBody(text: string, target: OpenAiTarget): RlmError {
  const value = firstObject(text) ?? {};
  const status = Number(asObject(value['error'])['code'] ?? value['code']);
  return fromBody(text, target, Number.isInteger(status) && status >= 400 && status < 600 ? status : null);
}

/** Whether an object that came with 200 OK is an error. */
export const isErrorBody = (value: Json): boolean =>
  Boolean(value['error']) || value['object'] === 'error' || (!('choices' in value) && 'detail' in value);
