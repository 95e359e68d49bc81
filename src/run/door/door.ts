/** The one door to a model: its layers in their order. */
import { RlmError } from '../../errors.ts';
import type { PromptInput, PromptName, ReplyWithOdds, Variables } from '../../prompts/index.ts';
import { createRecursionWarning } from '../recursion-cost.ts';
import type { Run } from '../run.ts';
import type { RunPlace } from '../run-place.ts';
import type { Ask, DoorParts, Layer, Obtain, Question } from './layer.ts';
import { cached, createPeek, replayed } from './layers/archives.ts';
import { fallback } from './layers/fallback.ts';
import { fitsWindow } from './layers/fits-window.ts';
import { form, formFor } from './layers/form.ts';
import { kept } from './layers/kept.ts';
import { limited } from './layers/limited.ts';
import { createNames, named } from './layers/named.ts';
import { createRenderer, rendered } from './layers/render.ts';
import { repair } from './layers/repair.ts';
import { createStart, reserved } from './layers/reserved.ts';
import { sent } from './layers/sent.ts';
import { settled } from './layers/settled.ts';
import { told } from './layers/told.ts';
import { twins } from './layers/twins.ts';

/** Composes layers into one; the first is the outermost. */
const inOrder =
  <T>(...layers: readonly Layer<T>[]): Layer<T> =>
  (innermost) =>
    layers.reduceRight((next, layer) => layer(next), innermost);

/**
 * Creates the function that every call of the program goes through. The providers that it gets redact its requests.
 */
export function createDoor(parts: DoorParts): Run['ask'] {
  const render = createRenderer(parts);
  const names = createNames(parts);
  const start = createStart(parts);
  const peek = createPeek(parts);
  const holds = (question: Question) => peek(names.next(render(question)));
  const holdsInForm = (question: Question) => holds({ ...question, form: formFor(question, parts) });

  const request = reserved(parts, start)(settled(parts)(sent(parts)));
  const obtain = inOrder<Obtain>(twins(parts, peek), replayed(parts, start), cached(parts), limited)(request);
  const send = fitsWindow(parts)(named(parts, names)(told(parts)(kept(parts)(obtain))));
  const ask = inOrder<Ask>(
    fallback(parts, holdsInForm),
    form(parts, holds),
    warnsOfCost(parts),
    repair,
  )(rendered(render)(send));

  return async <N extends PromptName>(prompt: N, variables: Variables<N>, place: RunPlace) => {
    const input = { prompt, variables } as unknown as PromptInput;
    const model = parts.roster.modelsFor(prompt, place.path)[0]!;
    const question = { input, place, model, form: formFor({ model, input }, parts), failed: null };
    const { parsed } = await ask(question).catch((error: unknown) => {
      if (error instanceof RlmError && error.code === 'call-not-recorded')
        parts.emit({ type: 'call.missing', path: place.path, prompt });
      throw error;
    });
    if (parsed.class === 'failed') throw new Error(`the reply to the ${prompt} prompt was not parsed`);
    if (parsed.isCut) parts.warn(`a reply to the ${prompt} prompt was cut off; the part that arrived is used`);
    return parsed.reply as unknown as ReplyWithOdds<N>;
  };
}

/** Warns before questions below the root go to a model that can cost more than `budget.warnCost`. */
function warnsOfCost({ settings, budget, warn }: DoorParts): Layer<Ask> {
  const tell = createRecursionWarning(settings, budget, warn);
  return (next) => (question) => {
    tell(question.model, question.place.path);
    return next(question);
  };
}
