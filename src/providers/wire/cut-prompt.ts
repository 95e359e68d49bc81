/**
 * Detects after a reply whether the server cut the prompt. Ollama 0.12.6 and later refuse a prompt that does not fit;
 * earlier versions, LM Studio and others cut it and answer 200 OK. Then only the server's token count shows the cut:
 * - A prompt that was not cut leaves room for its reply. Older runners cut a prompt to exactly `num_ctx` tokens
 *   (runner.go). So a count that equals the window, or is one token less, means a cut.
 * - If the server drops whole messages, or half the window, the count is far too small. Text has under 8 characters
 *   per token in every language and tokenizer, except runs of one character. Ollama before 0.5 omits cached tokens
 *   from the count. So a small count means a cut only if the prompt exceeds the window at the usual 4 bytes per token.
 */
import type { ModelRequest } from '../provider.ts';
import { promptTooLong, type ServerTarget } from './server-errors.ts';

/** Size in bytes below which a prompt fits every window that a server would load. */
const alwaysFits = 2000;

const mostCharactersPerToken = 8;
const usualBytesPerToken = 4;

const measure = (text: string) => ({ characters: text.length, bytes: Buffer.byteLength(text) });

/** Shortens runs of one character to four characters, because such runs take few tokens. */
const withoutRuns = (text: string): string => text.replace(/(.)\1{4,}/gsu, '$1$1$1$1');

/** Whether the server's token count shows that it cut a prompt of this size to the window. */
export function looksCut(size: ReturnType<typeof measure>, counted: number, windowTokens: number): boolean {
  if (counted <= 0) return false; // The server does not count.
  const fillsWindow = counted === windowTokens || counted === windowTokens - 1;
  const tooFew = counted < size.characters / mostCharactersPerToken;
  return fillsWindow || (tooFew && size.bytes / usualBytesPerToken > windowTokens);
}

const textOf = ({ messages }: ModelRequest): string => messages.map(({ content }) => content).join('\n');

export const fitsAnyWindow = (request: ModelRequest): boolean => Buffer.byteLength(textOf(request)) < alwaysFits;

/** Throws `prompt-too-long` if the server must have cut the prompt. `counted` and `window` are null if unknown. */
export function assertWhole(
  request: ModelRequest,
  counted: number | null,
  window: number | null,
  target: ServerTarget,
): void {
  if (counted === null || fitsAnyWindow(request)) return;
  if (!looksCut(measure(withoutRuns(textOf(request))), counted, window ?? counted + 2)) return;
  throw promptTooLong(target, `${target.display} cut it to ${counted} tokens without saying so`);
}
