import type { ReplyForm } from '../../../prompts/reply/fields.ts';
import { replyForm } from '../../../prompts/reply/reply-form.ts';
import { type Ability, abilitiesOf, missedForm, refusedAbility } from '../abilities.ts';
import { promptOf } from '../asked-prompt.ts';
import type { Ask, DoorParts, Layer, Question } from '../layer.ts';

/** How a model is asked for a reply, going by what it can do but for one ability. */
export function formFor(
  { model, input }: Pick<Question, 'model' | 'input'>,
  { knownModels }: Pick<DoorParts, 'knownModels'>,
  without: Ability | null = null,
): ReplyForm {
  const { tools, writesCalls, plain } = promptOf(input);
  const can = abilitiesOf(model, knownModels, without);
  const callsTools = can.tools && writesCalls?.(input.variables) !== true;
  return replyForm(plain !== undefined, tools?.(input.variables) ?? [], { ...can, tools: callsTools });
}

/**
 * Asks in the form that the model can take. A request whose form its server refuses is made in a simpler one, and so
 * are all later ones of that model.
 * @param holds whether the reply to a question is recorded.
 */
export function form(
  parts: Pick<DoorParts, 'knownModels'>,
  holds: (question: Question) => Promise<boolean>,
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
