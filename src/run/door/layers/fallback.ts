import { type ErrorCode, kindOf, RlmError } from '../../../errors.ts';
import { modelName, type RunModel } from '../../roster.ts';
import type { ServingModel } from '../asked.ts';
import type { Ask, DoorParts, Layer, PromptRequest } from '../layer.ts';

/** Failures of a model or its server after which the next model is asked. */
const replacedCodes: readonly ErrorCode[] = [
  'provider-unreachable',
  'model-missing',
  'credentials-refused',
  'provider-failed',
  'rate-limited',
  'call-timeout',
];

const isReplaced = (error: unknown): boolean => error instanceof RlmError && replacedCodes.includes(error.code);

const isOfModel = (error: unknown): boolean =>
  error instanceof RlmError && ['unavailable', 'failed', 'call'].includes(kindOf(error));

/** Returns the warning about a change of model. It names no call, because warnings with equal text appear only once. */
const takeoverWarning = (next: RunModel, failed: RunModel, { code }: RlmError): string =>
  `${modelName(next)} took over from ${modelName(failed)} (${code})`;

/** Asks the models in turn while they fail with one of `replacedCodes`. Throws the first of their errors. */
export function fallback(
  { roster, warn }: Pick<DoorParts, 'roster' | 'warn'>,
  holds: (question: PromptRequest) => Promise<boolean>,
): Layer<Ask> {
  /** Returns the models in the order of asking. Models with a recorded reply come first, to avoid new requests. */
  async function inTurn(question: PromptRequest): Promise<readonly ServingModel[]> {
    const models = roster.modelsFor(question.input.prompt, question.place.path);
    if (models.length === 1) return models;
    const held = await Promise.all(models.map((model) => holds({ ...question, model })));
    return [...models.filter((_, index) => held[index]), ...models.filter((_, index) => !held[index])];
  }

  return (next) => async (question) => {
    const models = await inTurn(question);
    let failure: unknown = null;
    for (const [index, model] of models.entries()) {
      try {
        return await next({ ...question, model });
      } catch (error) {
        if (!isOfModel(error)) throw error;
        failure ??= error;
        const other = models[index + 1];
        if (!isReplaced(error) || other === undefined) throw failure;
        warn('model', takeoverWarning(other, model, error as RlmError));
      }
    }
    throw failure;
  };
}
