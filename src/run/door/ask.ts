import { type ErrorCode, kindOf, RlmError } from '../../errors.ts';
import {
  askedFields,
  type PromptInput,
  type PromptName,
  prompts,
  type ReplyWithOdds,
  type Variables,
} from '../../prompts/index.ts';
import type { Prompt } from '../../prompts/prompt.ts';
import type { Fields } from '../../prompts/reply/fields.ts';
import { describeReply, replyForm } from '../../prompts/reply/reply-form.ts';
import { renderPrompt } from '../../prompts/template.ts';
import type { Message } from '../../providers/provider.ts';
import { type Role, supplementOf } from '../../roles/role.ts';
import { createRecursionWarning } from '../recursion-cost.ts';
import { modelName, type Roster, type RunModel } from '../roster.ts';
import type { Place, Run } from '../run.ts';
import { isSmall, testedOf } from '../up-to.ts';
import { type Ability, abilitiesOf, type KnownModels, missedForm, refusedAbility } from './abilities.ts';
import type { Asked, ServingModel } from './asked.ts';
import { type CallParts, createCaller } from './call.ts';

/** Why a repair turn that cannot be made leaves the reply as it is. */
const leavesReply: readonly string[] = ['limit-calls', 'limit-tokens', 'limit-cost', 'prompt-too-long'];

/** What the door needs. */
interface DoorParts extends CallParts {
  readonly roster: Roster<ServingModel>;
  readonly knownModels: KnownModels;
  /** What models are told to be; null: nothing. */
  readonly role: Role | null;
  warn(message: string): void;
}

/**
 * The one door to a model: every call of the program goes through the function that this makes. A reply that cannot be
 * read gets one repair turn. Where a model fails, those that take over from it are asked in their order.
 */
export function createDoor(parts: DoorParts): Run['ask'] {
  const { call, holdsReply } = createCaller(parts);
  const { roster, role, settings, templates, knownModels, warn } = parts;
  const warnOfCost = createRecursionWarning(settings, parts.budget, warn);

  /** What a model is asked: the form of the reply goes by what it can do. */
  function prepare<N extends PromptName>(
    model: ServingModel,
    prompt: N,
    variables: Variables<N>,
    place: Place,
    without: Ability | null = null,
  ) {
    const {
      tools: toolsOf,
      turns: turnsOf,
      writesCalls,
      plain,
      schemaOf,
    } = prompts[prompt] as unknown as Prompt<Variables<N>, Fields>;
    const tools = toolsOf?.(variables) ?? [];
    const can = abilitiesOf(model, knownModels, without);
    const input = { prompt, variables } as unknown as PromptInput;
    const fields = askedFields(input);
    const form = replyForm(plain !== undefined, tools, {
      ...can,
      tools: can.tools && writesCalls?.(variables) !== true,
    });
    const format = schemaOf ? '' : plain ? marksFor(model, plain) : describeReply(fields, form, tools);
    const { system, user } = renderPrompt(templates, prompt, variables, format);
    const supplement = supplementOf(role, prompt, place.path, settings.failCount);
    const messages: Message[] = [
      { role: 'system', content: system },
      // Behind the passages: prompts that share them share their beginning, which a server reads once.
      { role: 'user', content: [user, supplement].filter(Boolean).join('\n\n') },
      ...(turnsOf?.(variables, form) ?? []),
    ];
    const asked = { model, input, form, tools, place, messages, supplement, turns: [] } satisfies Asked;
    return { asked, format };
  }

  /** Tells of a reply that was cut off. */
  function taken<N extends PromptName>(prompt: PromptName, { reply, isCut }: { reply: object; isCut?: true }) {
    if (isCut) warn(`a reply to the ${prompt} prompt was cut off; what had come by then is used`);
    return reply as ReplyWithOdds<N>;
  }

  async function askModel<N extends PromptName>({
    asked,
    format,
  }: ReturnType<typeof prepare>): Promise<ReplyWithOdds<N>> {
    const { messages, input } = asked;
    warnOfCost(asked.model, asked.place.path);
    const first = await call(asked);
    if (first.parsed.class !== 'failed') return taken<N>(input.prompt, first.parsed);

    const { partial } = first.parsed;
    if (partial !== undefined && first.cutShort) return taken<N>(input.prompt, { reply: partial, isCut: true });
    const turns = repairTurns(first.text, first.parsed.problem, format);
    const second = await call({ ...asked, messages: [...messages, ...turns], turns }).catch((error: RlmError) => {
      if (leavesReply.includes(error.code) || partial !== undefined) return first;
      throw error;
    });
    if (second.parsed.class !== 'failed') return taken<N>(input.prompt, second.parsed);
    const rest = second.parsed.partial ?? partial;
    if (rest !== undefined) return taken<N>(input.prompt, { reply: rest, isCut: true });
    throw unusable(input.prompt, second.parsed.problem, second.text);
  }

  /** A request whose form the server refuses is made in a simpler one, and so are all later ones of that model. */
  async function askInForm<N extends PromptName>(
    model: ServingModel,
    prompt: N,
    variables: Variables<N>,
    place: Place,
  ): Promise<ReplyWithOdds<N>> {
    const prepared = prepare(model, prompt, variables, place);
    try {
      return await askModel<N>(prepared);
    } catch (error) {
      const { form } = prepared.asked;
      const missed = missedForm(error, form);
      const isRecorded = missed !== null && (await holdsReply(prepare(model, prompt, variables, place, missed).asked));
      const refused = isRecorded ? missed : refusedAbility(error, form);
      if (refused === null) throw error;
      knownModels.learn(model, refused);
      return askInForm(model, prompt, variables, place);
    }
  }

  /** Those whose reply the run has already come first, so that it is not asked for again. */
  async function inTurn<N extends PromptName>(
    models: readonly ServingModel[],
    prompt: N,
    variables: Variables<N>,
    place: Place,
  ): Promise<readonly ServingModel[]> {
    if (models.length === 1) return models;
    const finding = models.map((model) => holdsReply(prepare(model, prompt, variables, place).asked));
    const holds = await Promise.all(finding);
    return [...models.filter((_, index) => holds[index]), ...models.filter((_, index) => !holds[index])];
  }

  return async function ask<N extends PromptName>(prompt: N, variables: Variables<N>, place: Place) {
    const models = await inTurn(roster.modelsFor(prompt, place.path), prompt, variables, place);
    let failure: unknown = null;
    for (const [index, model] of models.entries()) {
      try {
        return await askInForm(model, prompt, variables, place);
      } catch (error) {
        if (!isOfModel(error)) throw error;
        failure ??= error;
        const next = models[index + 1];
        if (!isReplaced(error) || next === undefined) throw failure;
        warn(takesOver(next, model, error as RlmError));
      }
    }
    throw failure;
  };
}

/** What a model is told about marks in its answer; nothing where it is small. */
const marksFor = ({ info }: RunModel, { marks }: { readonly marks: string | null }): string =>
  marks === null || isSmall(testedOf(info)) ? '' : marks;

/**
 * Failures of a model or its server, after which another one is asked: not what is wrong with the request, nor a
 * limit.
 */
const replacedCodes: readonly ErrorCode[] = [
  'provider-unreachable',
  'model-missing',
  'credentials-refused',
  'provider-failed',
  'rate-limited',
  'call-timeout',
];

const isReplaced = (error: unknown): boolean => error instanceof RlmError && replacedCodes.includes(error.code);

/** Whether it is about the model that was asked, and not about the run. */
const isOfModel = (error: unknown): boolean =>
  error instanceof RlmError && ['unavailable', 'failed', 'call'].includes(kindOf(error));

/** The warning for a call that another model takes over; the same for all calls. */
const takesOver = (next: RunModel, failed: RunModel, { code }: RlmError): string =>
  `${modelName(next)} took over from ${modelName(failed)} (${code})`;

/**
 * Shows the model its own reply and what was wrong with it. A long reply is shown in part: its form is what matters.
 */
function repairTurns(text: string, problem: string, format: string): Message[] {
  return [
    { role: 'assistant', content: text.slice(0, 2_000) },
    { role: 'user', content: `Your reply could not be used: ${problem}.\n\n${format}` },
  ];
}

function unusable(prompt: PromptName, problem: string, text: string): RlmError {
  const began = JSON.stringify(text.slice(0, 80));
  return new RlmError(
    'reply-unusable',
    `the model's reply to the ${prompt} prompt cannot be used: ${problem}; it began ${began}`,
    { hint: 'Try again, or use a model that follows instructions better (--model).' },
  );
}
