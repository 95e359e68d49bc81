import { sha256 } from '../../base/sha256.ts';
import { type PromptInput, type PromptName, prompts } from '../../prompts/index.ts';
import type { Prompt } from '../../prompts/prompt.ts';
import type { Fields, ReplyForm } from '../../prompts/reply/fields.ts';
import { describeBelow, describeReply, replySchema } from '../../prompts/reply/reply-form.ts';
import type { Templates } from '../../prompts/template.ts';
import type { Message, ModelInfo } from '../../providers/provider.ts';
import type { RunPlace } from '../roster.ts';
import type { AskedReasoning } from './reasoning.ts';

/** Identifies a call: equal requests have an equal `hash`; `place` distinguishes equal requests of one run. */
export interface CallIdentity {
  /** Path or stage, prompt, and the call's number among the calls of this path, prompt and model: `0.2 answer 1`. */
  readonly place: string;
  readonly prompt: PromptName;
  readonly hash: string;
  /** Hashes of the request's parts by name, so that a message can name the part that differs. */
  readonly parts: Readonly<Record<string, string>>;
  readonly question: string;
}

/** Returns a call's key: its place in the tree and the hash of its request. */
export const callKey = ({ place, hash }: Pick<CallIdentity, 'place' | 'hash'>): string => `${place} ${hash}`;

/** The parts of a rendered prompt that identify its request. */
export interface Identified {
  readonly input: PromptInput;
  readonly form: ReplyForm;
  /** The role's addition to the messages; empty if there is none. */
  readonly supplement: string;
  readonly reasoning: AskedReasoning;
  /** The messages after the prompt itself: an unusable reply, and the problem with it. */
  readonly turns: readonly Message[];
}

interface RequestOptions {
  readonly temperature: number;
  readonly maxOutputTokens: number;
  readonly windowTokens: number;
  readonly seed: number | null;
}

const hashOf = (value: unknown): string => sha256(JSON.stringify(value), 16);

/** Whether a variable is part of the identity. The remaining budget is not, because it differs from run to run. */
const isCounted = ([name]: [string, unknown]) => name !== 'budget';

/** Hashes each variable's value, which some providers read, and its text in the messages. */
function variableHashes({ prompt, variables }: PromptInput): Record<string, string> {
  const render = prompts[prompt].render as Record<string, (value: unknown) => string>;
  const entries = Object.entries(variables).filter(isCounted);
  return Object.fromEntries(entries.map(([name, value]) => [name, hashOf([value, render[name]!(value)])]));
}

/** Creates the function that identifies the calls of one model with one set of prompts. */
export function createIdentify(provider: string, { model, digest, structuredOutput }: ModelInfo, templates: Templates) {
  const modelHash = hashOf([provider, model, digest, structuredOutput]);
  const templateHashes = new Map<string, string>();
  const templateHash = (input: PromptInput, form: ReplyForm): string => {
    const { fields, plain }: Pick<Prompt<unknown, Fields>, 'fields' | 'plain'> = prompts[input.prompt];
    const key = `${input.prompt} ${form}`;
    const shape = form === 'plain' ? [plain?.marks, describeBelow(Object.values(fields))] : describeReply(fields, form);
    const known = templateHashes.get(key) ?? hashOf([templates[input.prompt], shape, replySchema(fields)]);
    templateHashes.set(key, known);
    return known;
  };

  return function identify(place: string, asked: Identified & RequestOptions): CallIdentity {
    const { input, form, reasoning, supplement, turns, temperature, maxOutputTokens, windowTokens, seed } = asked;
    const window = prompts[input.prompt].isLasting ? {} : { windowTokens };
    const parts = {
      model: modelHash,
      words: templateHash(input, form),
      ...(reasoning.isDefault ? {} : { reasoning: hashOf(reasoning.level) }),
      ...(supplement === '' ? {} : { role: hashOf(supplement) }),
      ...variableHashes(input),
      turns: hashOf(turns),
      options: hashOf({ temperature, maxOutputTokens, ...window, seed }),
    };
    const { question, task } = input.variables as { readonly question?: string; readonly task?: string };
    const hash = hashOf([input.prompt, parts]);
    return { place, prompt: input.prompt, hash, parts, question: question ?? task ?? '' };
  };
}

/** Creates the function that names a run's calls. Calls of one model, prompt and path are numbered from 1. */
export function createPlaces() {
  const counts = new Map<string, number>();
  /** @param isTaken whether a call takes the name, so that the next call gets another name. */
  return ({ path, part }: Pick<RunPlace, 'path' | 'part'>, prompt: PromptName, model: string, isTaken = true) => {
    const key = `${part === undefined ? path : `${path}/${part}`} ${prompt}`;
    const count = (counts.get(`${key} ${model}`) ?? 0) + 1;
    if (isTaken) counts.set(`${key} ${model}`, count);
    return `${key} ${count}`;
  };
}
