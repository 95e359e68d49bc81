/**
 * Finds out after a reply whether the server cut the prompt.
 *
 * Ollama 0.12.6 and later refuse a prompt that does not fit when told `truncate: false`; earlier ones, and other
 * servers that speak its protocol, cut it and answer 200 OK. Then only `prompt_eval_count` can tell:
 * - A cut prompt fills the window: older runners cut to exactly `num_ctx` tokens (runner.go, "truncating input
 *   prompt"), and a prompt that is whole leaves room for the reply that was asked for. So a count of the whole window,
 *   or one token less, is a cut, however plausible it looks.
 * - When whole messages were dropped, or half the window, the count is far too small: text has under 8 characters per
 *   token in every language and tokenizer, runs of one character aside. That alone is no proof, since servers from
 *   before 0.5 left cached tokens out of the count; so the prompt must also be too long for the window by the usual
 *   estimate of 4 bytes per token.
 * The window is the one that the model is loaded with, which a server may have made smaller than what was asked for.
 */

import type { CallOptions, ModelRequest } from '../../provider.ts';
import { type OllamaTarget, promptTooLong } from '../errors.ts';

/** Prompts below this size fit every window that a server would load, in bytes. */
export const alwaysFits = 2000;

const mostCharactersPerToken = 8;
const usualBytesPerToken = 4;

interface Size {
  readonly characters: number;
  readonly bytes: number;
}

export const measure = (text: string): Size => ({ characters: text.length, bytes: Buffer.byteLength(text) });

/** Runs of one character take few tokens: they are shortened to four. */
export const withoutRuns = (text: string): string => text.replace(/(.)\1{4,}/gsu, '$1$1$1$1');

/** Whether a prompt of this size was cut to a window, going by the tokens that the server counted. */
export function looksCut(size: Size, counted: number, windowTokens: number): boolean {
  const fillsWindow = counted === windowTokens || counted === windowTokens - 1;
  const tooFew = counted < size.characters / mostCharactersPerToken;
  return fillsWindow || (tooFew && size.bytes / usualBytesPerToken > windowTokens);
}

const largerWindow = (window: number, { windowTokens }: ModelRequest): string =>
  window < windowTokens
    ? `Set context.maxWindowTokens (RLM_MAX_WINDOW_TOKENS) to ${window}, or have the server allow ${windowTokens}.`
    : 'Raise context.maxWindowTokens (RLM_MAX_WINDOW_TOKENS) or lower context.passages, and update Ollama: 0.12.6 and later refuse instead of cutting.';

const textOf = ({ messages }: ModelRequest): string => messages.map(({ content }) => content).join('\n');

/**
 * Creates the checks for one provider, which determines once the window that the server actually loaded.
 * @param loadedWindow asks the server; null when the server does not know.
 */
export function createWindowCheck(target: OllamaTarget, loadedWindow: (signal: AbortSignal) => Promise<number | null>) {
  let knownToSuffice = 0;
  /** The loaded window, where it is smaller than requested. */
  let tooSmall = Number.POSITIVE_INFINITY;

  async function windowOf(request: ModelRequest, counted: number, options: CallOptions): Promise<number> {
    const asked = request.windowTokens;
    if (asked <= knownToSuffice) return asked;
    const loaded = await loadedWindow(options.signal);
    if (loaded === null || loaded >= asked) {
      knownToSuffice = asked;
      return asked;
    }
    // A count above it means that another client has had the model loaded anew since.
    if (counted > loaded) return asked;
    if (tooSmall === Number.POSITIVE_INFINITY) {
      options.onNotice?.(
        `the server runs ${target.model} with a window of ${loaded} tokens instead of the requested ${asked}; a prompt that does not fit is an error`,
      );
    }
    tooSmall = loaded;
    return loaded;
  }

  return {
    /** Throws `prompt-too-long` for a prompt that cannot fit what the server has loaded, whatever its tokenizer. */
    assertFits(request: ModelRequest): void {
      if (request.windowTokens <= tooSmall) return;
      const least = Math.ceil(withoutRuns(textOf(request)).length / mostCharactersPerToken);
      if (least <= tooSmall) return;
      const what = `it has at least ${least} tokens, and the server runs the model with a window of ${tooSmall}`;
      throw promptTooLong(target, what, largerWindow(tooSmall, request));
    },
    /** Throws `prompt-too-long` when the server must have cut the prompt; says nothing where it did not count. */
    async assertWhole(request: ModelRequest, counted: number | null, options: CallOptions): Promise<void> {
      const text = textOf(request);
      const size = measure(text);
      if (counted === null || size.bytes < alwaysFits) return;
      const window = await windowOf(request, counted, options);
      if (!looksCut(size, counted, window) || !looksCut(measure(withoutRuns(text)), counted, window)) return;
      const what = `the server cut it to ${counted} tokens without saying so, since it runs the model with a window of ${window}`;
      throw promptTooLong(target, what, largerWindow(window, request));
    },
  };
}
