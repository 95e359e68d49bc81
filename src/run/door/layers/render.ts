import { askedFields, belowFields } from '../../../prompts/index.ts';
import { describeBelow, describeReply } from '../../../prompts/reply/reply-form.ts';
import { renderPrompt } from '../../../prompts/template.ts';
import type { Message } from '../../../providers/provider.ts';
import { supplementOf } from '../../../roles/role.ts';
import { isSmall } from '../../model-capabilities.ts';
import { type Asked, promptOf } from '../asked.ts';
import type { Ask, DoorParts, FailedReply, Layer, PromptRequest, Send } from '../layer.ts';
import { reasoningFor } from '../reasoning.ts';

function proseFormat({ input, model }: Pick<PromptRequest, 'input' | 'model'>, marks: string | null): string {
  if (isSmall(model.info)) return '';
  return [marks ?? '', describeBelow(Object.values(belowFields(input)))].filter(Boolean).join('\n\n');
}

const repairTurns = ({ text, problem }: FailedReply, format: string): Message[] => [
  { role: 'assistant', content: text.slice(0, 2_000) },
  { role: 'user', content: `Your reply could not be used: ${problem}.\n\n${format}` },
];

/** Creates the function that renders a question into messages. */
export function createRenderer({ templates, role, settings }: Pick<DoorParts, 'templates' | 'role' | 'settings'>) {
  return ({ input, place, model, form, thinksLess, failed }: PromptRequest): Asked => {
    const reasoning = reasoningFor(input, settings, thinksLess);
    const { tools: toolsOf, turns: turnsOf, pictures: picturesOf, plain, schemaOf } = promptOf(input);
    const pictures = picturesOf?.(input.variables) ?? [];
    const tools = toolsOf?.(input.variables) ?? [];
    const described = () =>
      plain ? proseFormat({ input, model }, plain.marks) : describeReply(askedFields(input), form, tools);
    const format = schemaOf ? '' : described();
    const { system, user } = renderPrompt(templates, input.prompt, input.variables as never, format);
    const supplement = supplementOf(role, input.prompt, place.path, settings.failCount);
    const turns = failed === null ? [] : repairTurns(failed, format);
    const messages: Message[] = [
      { role: 'system', content: system },
      // The role comes last: prompts with equal passages then begin alike, and a server reads the beginning only once.
      {
        role: 'user',
        content: [user, supplement].filter(Boolean).join('\n\n'),
        ...(pictures.length > 0 && { pictures }),
      },
      ...(turnsOf?.(input.variables, form) ?? []),
      ...turns,
    ];
    return { model, input, form, tools, place, messages, reasoning, supplement, turns };
  };
}

/** Creates the layer that renders a question and sends it. */
export const rendered =
  (render: (question: PromptRequest) => Asked): Layer<Ask, Send> =>
  (next) =>
  async (question) =>
    next(render(question));
