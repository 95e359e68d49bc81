import { RlmError } from '../../errors.ts';
import { asObject, type Json } from '../wire/json.ts';
import { connectTo, type Server } from '../wire/requests.ts';
import {
  type AddressNames,
  firstObject,
  fromBody,
  notTheServer,
  readBaseUrl,
  type ServerWords,
} from '../wire/server-errors.ts';

export interface OpenAiNames extends AddressNames {
  readonly modelFlag: string;
  /** The hint for a text that is too long. */
  readonly shorten: string;
}

export interface OpenAiTargetOptions {
  /** Everything before `/chat/completions` or `/embeddings`, such as `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  /** Null for servers that need no key. */
  readonly apiKey: string | null;
  /** Removes secrets from the server's error messages; replies are redacted by the caller. */
  readonly redact?: (text: string) => string;
}

/** A server with its connections, and the requested model. */
export interface OpenAiTarget extends Server {
  readonly apiKey: string | null;
  readonly names: OpenAiNames;
}

const hosted = 'api.openai.com';

export const isOpenAi = ({ url }: Pick<OpenAiTarget, 'url'>): boolean => new URL(url).hostname === hosted;

/** Matches what OpenAI, vLLM, llama.cpp's server, LM Studio and gateways say about overlong prompts. */
const tooLong = new RegExp(
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

const otherKey = 'The server does not accept the key in OPENAI_API_KEY. Set OPENAI_API_KEY to a key that it accepts.';

function wordsFor({ baseUrl, variable, modelFlag, shorten }: OpenAiNames, apiKey: string | null): ServerWords {
  const address = `See ${baseUrl} (${variable}); it ends in /v1 for most servers.`;
  const missing = `Choose another model with ${modelFlag}. ${address}`;
  return {
    kind: "OpenAI's API",
    address,
    failed: 'The log of the server may say more.',
    shorten,
    access: apiKey === null ? 'No key was sent. Set OPENAI_API_KEY to a key that the server accepts.' : otherKey,
    missing,
    refused: missing,
    tooLong,
    notTooLong: [401],
    unpaid: {
      words: /insufficient.?(quota|balance|credit|funds)|exceeded your current quota|billing/i,
      code: 'rate-limited',
      hint: 'Add credit to the account, or ask the operator of the server for a higher quota.',
    },
  };
}

/** Creates the target that the options describe. Throws `config-invalid` for an invalid base URL. */
export function readOpenAiTarget(options: OpenAiTargetOptions, model: string, names: OpenAiNames): OpenAiTarget {
  const apiKey = options.apiKey?.trim() || null;
  const { url, display } = readBaseUrl(options.baseUrl, names);
  const server = connectTo({ url, display, model, apiKey, redact: options.redact, words: wordsFor(names, apiKey) });
  return { ...server, apiKey, names };
}

/** Throws `credentials-refused` if there is no key and the server is OpenAI's own, which requires one. */
export function assertKey({ apiKey, names, ...target }: OpenAiTarget): void {
  if (apiKey !== null || !isOpenAi(target)) return;
  throw new RlmError('credentials-refused', `OPENAI_API_KEY is not set, and ${hosted} needs a key`, {
    hint: `Set OPENAI_API_KEY=sk-…, or name a server of your own: ${names.variable}=${names.example}`,
  });
}

/** Creates the error for a reply with 200 OK that is something other than `wanted`. */
export const otherThan = (target: OpenAiTarget, wanted: string, isBeforeCalls = false): RlmError =>
  notTheServer(target, `it answers with something other than ${wanted}`, isBeforeCalls);

/** Creates the error for a failure in a reply that began with 200 OK. */
export function fromOpenAiBody(text: string, target: OpenAiTarget): RlmError {
  const value = firstObject(text) ?? {};
  const status = Number(asObject(value['error'])['code'] ?? value['code']);
  return fromBody(text, target, Number.isInteger(status) && status >= 400 && status < 600 ? status : null);
}

/** Whether an object that came with 200 OK is an error. */
export const isErrorBody = (value: Json): boolean =>
  Boolean(value['error']) || value['object'] === 'error' || (!('choices' in value) && 'detail' in value);
