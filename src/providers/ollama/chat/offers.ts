/**
 * What a model is known to accept, and what it refuses. /api/show may promise what the model's template or a server in
 * between does not support. Such a request is refused before any work is done, so it is repeated without that part, and
 * this is remembered.
 */
import { RlmError } from '../../../errors.ts';

/** The value of `think`; null leaves it to the server. */
type Think = false | 'low' | null;

/** How a model thinks: not at all, on demand, or always, more or less (gpt-oss). */
export type Thinking = 'never' | 'switched' | 'always';

export interface Offers {
  /** Whether tools may be offered to it. */
  readonly tools: boolean;
  /** Whether the server may be asked for probabilities of tokens; one that is too old leaves them out. */
  readonly logprobs: boolean;
  /** The value of `think` when the reply has a format. */
  readonly think: Think;
}

const steps: Readonly<Record<Thinking, readonly Think[]>> = {
  never: [null],
  switched: [false, 'low', null],
  always: ['low', null],
};

/** The part that a refusal is about. */
const subjects = { tools: /\btools?\b/i, logprobs: /logprob/i, think: /\bthink(ing)?\b/i } as const;

/** Creates the memory for one model. */
export function createOffers() {
  const may = { tools: true, logprobs: true };
  let thinks: readonly Think[] = steps.never;
  const current = (): Offers => ({ ...may, think: thinks[0] ?? null });

  return {
    current,
    /** Sets what is known about the model before its first call. */
    expect(thinking: Thinking): void {
      thinks = steps[thinking];
    },
    /**
     * Whether to repeat the request without what was refused.
     * @param sent what it made use of; a call at the same time may have found out the same.
     * @param model its name, which says nothing about the refusal.
     */
    giveUp(error: unknown, sent: Offers, model: string): boolean {
      if (!(error instanceof RlmError) || error.code !== 'request-refused') return false;
      const [, words = ''] = error.message.split(/ answered \d+: /, 2);
      const said = words.replaceAll(model, '');
      for (const offer of ['tools', 'logprobs'] as const) {
        if (!sent[offer] || !subjects[offer].test(said)) continue;
        may[offer] = false;
        return true;
      }
      if (sent.think === null || !subjects.think.test(said)) return false;
      if (thinks[0] === sent.think) thinks = thinks.slice(1);
      return true;
    },
  };
}
