/** Creates the door: the layers that every call of a model goes through. */
import type { Settings } from '../../config/settings.ts';
import { RlmError } from '../../errors.ts';
import type { PromptInput, PromptName, ReplyWithOdds, Variables } from '../../prompts/index.ts';
import { depthOf, modelName, type RunModel, type RunPlace } from '../roster.ts';
import type { Run } from '../run.ts';
import { worstCase } from './asked.ts';
import type { Ask, DoorParts, Layer, Obtain, PromptRequest, Send } from './layer.ts';
import { cached, createPeek, replayed, twins } from './layers/archives.ts';
import { repair, thinkLess } from './layers/ask-again.ts';
import { fallback } from './layers/fallback.ts';
import { form, formFor } from './layers/form.ts';
import { kept } from './layers/kept.ts';
import { createNames, named } from './layers/named.ts';
import { createRenderer, rendered } from './layers/render.ts';
import { sent } from './layers/sent.ts';
import { createStart, reserved, settled } from './layers/settled.ts';
import { told } from './layers/told.ts';
import { createLedger } from './ledger.ts';
import { messageTokens, pictureTokens } from './window.ts';

/** Waits for a slot among the concurrent calls of the model's server. */
export const limited: Layer<Obtain> = (next) => (call) =>
  call.model.limiter(() => next(call), call.place.path, call.signal);

/** Refuses a prompt that, with its reply, is larger than the model's window (RlmError `prompt-too-long`). */
export const fitsWindow =
  ({ settings }: Pick<DoorParts, 'settings'>): Layer<Send> =>
  (next) =>
  async (asked) => {
    const { messages, input, model } = asked;
    const { tokens } = model.window;
    const needed = model.sizing.scaled(messageTokens(messages)) + settings.reply.maxTokens;
    const pictures = pictureTokens(messages);
    // Models count different numbers of tokens for a picture, so a prompt with pictures may exceed an assumed window.
    if (needed <= tokens || (pictures > 0 && model.info.windowIsAssumed)) return next(asked);
    throw new RlmError(
      'prompt-too-long',
      `the ${input.prompt} prompt needs about ${needed} tokens, the window of ${modelName(model)} has ${tokens}`,
      {
        hint:
          pictures > 0
            ? `A page as a picture takes up to ${pictures} of these tokens: use a model with a larger window (--vision-model), or set a larger window on its server.`
            : 'Raise context.maxWindowTokens if the model allows more, or lower context.passages.',
      },
    );
  };

/** Returns the warning that `calls` calls of a model may cost more than `budget.warnCost`; null if they cannot. */
export function recursionWarning(model: RunModel, calls: number, settings: Settings): string | null {
  if (model.info.spends !== 'money' || calls === 0) return null;
  const { warnCost } = settings.budget;
  const usd = calls * worstCase(model, settings).usd;
  if (model.price !== null && usd <= warnCost) return null;
  const most = model.price === null ? 'an unknown sum, because the price is unknown' : `up to $${usd.toFixed(2)}`;
  return `questions below the root go to ${modelName(model)}: ${calls} more calls can cost ${most} (budget.warnCost is $${warnCost}; limit the cost with --max-cost)`;
}

/** Composes layers into one; the first is the outermost. */
const inOrder =
  <T>(...layers: readonly Layer<T>[]): Layer<T> =>
  (innermost) =>
    layers.reduceRight((next, layer) => layer(next), innermost);

/** Creates the function that makes every call of a model. */
export function createDoor(parts: DoorParts): Run['ask'] {
  const render = createRenderer(parts);
  const names = createNames(parts);
  const start = createStart(parts);
  const ledger = createLedger(parts);
  const peek = createPeek(parts);
  const holds = (question: PromptRequest) => peek(names.next(render(question)));
  const holdsInForm = (question: PromptRequest) => holds({ ...question, form: formFor(question, parts) });

  const request = reserved(parts, ledger, start)(settled(parts)(sent(parts)));
  const obtain = inOrder<Obtain>(twins(parts, peek), replayed(parts, ledger, start), cached(parts), limited)(request);
  const send = fitsWindow(parts)(named(parts, names)(told(parts)(kept(parts)(obtain))));
  const ask = inOrder<Ask>(
    fallback(parts, holdsInForm),
    form(parts, holds),
    warnsOfCost(parts),
    repair,
    thinkLess(parts, holds),
  )(rendered(render)(send));

  return async <N extends PromptName>(prompt: N, variables: Variables<N>, place: RunPlace) => {
    const input = { prompt, variables } as unknown as PromptInput;
    const model = parts.roster.modelsFor(prompt, place.path)[0]!;
    const question = { input, place, model, form: formFor({ model, input }, parts), thinksLess: false, failed: null };
    const { parsed } = await ask(question).catch((error: unknown) => {
      if (error instanceof RlmError && error.code === 'call-not-recorded')
        parts.emit({ type: 'call.missing', path: place.path, prompt });
      throw error;
    });
    if (parsed.class === 'failed') throw new Error(`the reply to the ${prompt} prompt was not parsed`);
    if (parsed.isCut)
      parts.warn('reply-cut', `a reply to the ${prompt} prompt was cut off; the part that arrived is used`);
    return parsed.reply as unknown as ReplyWithOdds<N>;
  };
}

function warnsOfCost({ settings, budget, warn }: DoorParts): Layer<Ask> {
  const seen = new Set<string>();
  return (next) => (question) => {
    const { model, place } = question;
    const name = modelName(model);
    const isNew = depthOf(place.path) > 0 && !seen.has(name);
    if (isNew) seen.add(name);
    const warning = isNew ? recursionWarning(model, budget.callsLeft('kept'), settings) : null;
    if (warning !== null) warn('cost', warning);
    return next(question);
  };
}
