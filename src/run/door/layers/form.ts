import type { ReplyForm } from '../../../prompts/reply/fields.ts';
import { replyForm } from '../../../prompts/reply/reply-form.ts';
import { type Ability, abilitiesOf, missedForm, refusedAbility } from '../abilities.ts';
import { promptOf } from '../asked.ts';
import type { Ask, DoorParts, Layer, PromptRequest } from '../layer.ts';

/** Returns the form in which a model is asked for a reply, given its abilities except `without`. */
export function formFor(
  { model, input }: Pick<PromptRequest, 'model' | 'input'>,
  { knownModels }: Pick<DoorParts, 'knownModels'>,
  without: Ability | null = null,
): ReplyForm {
  const { tools, writesCalls, plain } = promptOf(input);
  const can = abilitiesOf(model, knownModels, without);
  const callsTools = can.tools && writesCalls?.(input.variables) !== true;
  return replyForm(plain !== undefined, tools?.(input.variables) ?? [], { ...can, tools: callsTools });
}

/** Asks in the form that the model supports; where its server refuses one, in a simpler one from then on. */
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
        const missed = missedForm(error, question.form);
        const isRecorded = missed !== null && (await holds({ ...question, form: formFor(question, parts, missed) }));
        const refused = isRecorded ? missed : refusedAbility(error, question.form);
        if (refused === null) throw error;
        parts.knownModels.learn(question.model, refused);
        return ask(question);
      }
    };
}
