import { type ErrorCode, RlmError } from '../../../errors.ts';
import type { ReplyForm } from '../../../prompts/reply/fields.ts';
import { replyForm } from '../../../prompts/reply/reply-form.ts';
import { promptOf } from '../asked.ts';
import type { Ability, Ask, DoorParts, Layer, PromptRequest } from '../layer.ts';

/** Patterns of words in the errors of servers that lack an ability. */
const words: Readonly<Record<Ability, RegExp>> = {
  structuredOutput: /response_?format|json_?(schema|object)|structured[ _]output|schema|grammar|\bformat\b/i,
  tools: /\btools?\b|tool_(choice|calls?)|function[ _]call/i,
};

const neededBy = (form: ReplyForm): Ability | null =>
  form === 'json' ? 'structuredOutput' : form === 'tools' ? 'tools' : null;

const hasCode = (error: unknown, code: ErrorCode): error is RlmError =>
  error instanceof RlmError && error.code === code;

/** Returns the best reply form that a model's abilities allow. Treats the ability `without` as missing. */
export function formFor(
  { model, input }: Pick<PromptRequest, 'model' | 'input'>,
  { knownModels }: Pick<DoorParts, 'knownModels'>,
  without: Ability | null = null,
): ReplyForm {
  const { tools, writesCalls, plain } = promptOf(input);
  const has = (one: Ability) => model.info[one] && one !== without && !knownModels.lacks(model, one);
  const can = {
    structuredOutput: has('structuredOutput'),
    tools: has('tools') && writesCalls?.(input.variables) !== true,
  };
  return replyForm(plain !== undefined, tools?.(input.variables) ?? [], can);
}

/** Asks in the best reply form that the model supports. After a refusal, asks this model in a simpler form. */
export function form(
  parts: Pick<DoorParts, 'knownModels'>,
  holds: (question: PromptRequest) => Promise<boolean>,
): Layer<Ask> {
  return (next) =>
    async function ask(given) {
      const question = { ...given, form: formFor(given, parts) };
      try {
        return await next(question);
      } catch (error) {
        const needed = neededBy(question.form);
        if (needed === null) throw error;
        const simpler = { ...question, form: formFor(question, parts, needed) };
        const isRefused = hasCode(error, 'request-refused') && words[needed].test(error.message);
        if (!isRefused && !(hasCode(error, 'call-not-recorded') && (await holds(simpler)))) throw error;
        parts.knownModels.recordLack(question.model, needed);
        return ask(question);
      }
    };
}
