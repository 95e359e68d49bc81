/** Which server that speaks OpenAI's API is talked to, and how: the same for chat and for vectors. */
import { withoutLogin } from '../../config/login.ts';
import { RlmError } from '../../errors.ts';

/** How messages name the settings of whoever talks to the server. */
export interface OpenAiNames {
  readonly baseUrl: string;
  readonly variable: string;
  readonly example: string;
  readonly modelFlag: string;
  /** What to do about a text that is too long. */
  readonly shorten: string;
}

export interface OpenAiTargetOptions {
  /** Everything before `/chat/completions` or `/embeddings`, such as `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  /** Null for servers that want none. */
  readonly apiKey: string | null;
  /** Takes secrets out of what the server says when something is wrong; a reply is left to whoever asked. */
  readonly redact?: (text: string) => string;
}

/** The server and the model that are talked to. */
export interface OpenAiTarget {
  /** The base URL; it may hold a password, so it goes into no message. */
  readonly url: string;
  readonly display: string;
  readonly model: string;
  readonly apiKey: string | null;
  readonly names: OpenAiNames;
  /** Takes secrets out of what the server says, before it is shortened to a message. */
  readonly redact: (text: string) => string;
}

const hosted = 'api.openai.com';

/** Whether it is OpenAI's own server. */
export const isOpenAi = ({ url }: Pick<OpenAiTarget, 'url'>): boolean => new URL(url).hostname === hosted;

/** Throws `config-invalid` when the base URL is none. */
export function readOpenAiTarget(options: OpenAiTargetOptions, model: string, names: OpenAiNames): OpenAiTarget {
  const { baseUrl, apiKey, redact = (text) => text } = options;
  const url = baseUrl.trim().replace(/\/+$/, '');
  if (!URL.canParse(url) || !/^https?:\/\//i.test(url) || /[?#\s]/.test(url)) {
    throw new RlmError('config-invalid', `${names.baseUrl} is no address: "${withoutLogin(baseUrl)}"`, {
      hint: `Set it to something like ${names.example} (${names.variable}).`,
    });
  }
  return { url, display: withoutLogin(url), model, apiKey: apiKey?.trim() || null, names, redact };
}

/** Throws `credentials-refused` when OpenAI's own server would refuse the request for want of a key. */
export function assertKey({ apiKey, names, ...target }: OpenAiTarget): void {
  if (apiKey !== null || !isOpenAi(target)) return;
  throw new RlmError('credentials-refused', `OPENAI_API_KEY is not set, and ${hosted} wants a key`, {
    hint: `Set OPENAI_API_KEY=sk-…, or name a server of your own: ${names.variable}=${names.example}`,
  });
}

/** The headers of a request; the only place that a key goes to. */
export function openAiHeaders({ apiKey }: OpenAiTarget, accept = 'application/json'): Record<string, string> {
  const login: Record<string, string> = apiKey === null ? {} : { authorization: `Bearer ${apiKey}` };
  return { accept, 'content-type': 'application/json', ...login };
}
