import { createHash } from 'node:crypto';
import { type PromptInput, type PromptName, prompts } from '../../prompts/index.ts';
import type { ReplyForm } from '../../prompts/reply/fields.ts';
import { describeReply, replySchema } from '../../prompts/reply/reply-form.ts';
import type { Templates } from '../../prompts/template.ts';
import type { Message, ModelInfo } from '../../providers/provider.ts';
import type { RunPlace } from '../run-place.ts';

/**
 * What makes a call the same call. `hash` is the request's: two calls with the same hash ask the same thing of the same
 * model. `place` tells apart calls of one run that ask the same.
 */
export interface CallIdentity {
  /** The node's path or the stage, the prompt, and which call of that prompt it is there: `0.2 answer 1`. */
  readonly place: string;
  readonly prompt: PromptName;
  readonly hash: string;
  /** Hashes of what the request is made of, by name, so that a difference can be named. */
  readonly parts: Readonly<Record<string, string>>;
  /** The question or task, for people. */
  readonly question: string;
}

/** What goes into the identity of a request. */
interface Identified {
  readonly input: PromptInput;
  readonly form: ReplyForm;
  /** What the role adds to the prompt; empty: nothing. */
  readonly supplement: string;
  /** What follows the prompt itself: a reply and what was wrong with it. */
  readonly turns: readonly Message[];
  readonly temperature: number;
  readonly maxOutputTokens: number;
  readonly windowTokens: number;
  readonly seed: number | null;
}

const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);

/** A variable that says what is left of the budget changes no question, and differs from one run to the next. */
const isCounted = ([name]: [string, unknown]) => name !== 'budget';

/** Each variable as it is, which some providers read, and as it stands in the messages. */
function variableHashes({ prompt, variables }: PromptInput): Record<string, string> {
  const render = prompts[prompt].render as Record<string, (value: unknown) => string>;
  const entries = Object.entries(variables).filter(isCounted);
  return Object.fromEntries(entries.map(([name, value]) => [name, hashOf([value, render[name]!(value)])]));
}

/** Makes identities for the calls of one model with one set of prompts. */
export function createIdentify(provider: string, { model, digest, structuredOutput }: ModelInfo, templates: Templates) {
  const modelHash = hashOf([provider, model, digest, structuredOutput]);
  const templateHashes = new Map<string, string>();
  const templateHash = (name: PromptName, form: ReplyForm): string => {
    const { fields } = prompts[name];
    const key = `${name} ${form}`;
    const known =
      templateHashes.get(key) ?? hashOf([templates[name], describeReply(fields, form), replySchema(fields)]);
    templateHashes.set(key, known);
    return known;
  };

  return function identify(place: string, asked: Identified): CallIdentity {
    const { input, form, supplement, turns, temperature, maxOutputTokens, windowTokens, seed } = asked;
    const options = { temperature, maxOutputTokens, windowTokens, seed };
    const parts = {
      model: modelHash,
      words: templateHash(input.prompt, form),
      ...(supplement === '' ? {} : { role: hashOf(supplement) }),
      ...variableHashes(input),
      turns: hashOf(turns),
      options: hashOf(options),
    };
    const { question, task } = input.variables as { readonly question?: string; readonly task?: string };
    return {
      place,
      prompt: input.prompt,
      hash: hashOf([input.prompt, parts]),
      parts,
      question: question ?? task ?? '',
    };
  };
}

/**
 * Names the calls of a run's places, counting those of one prompt at one place from 1.
 * @returns for a call, its name; what asks for it counts each model's calls by themselves, so that who takes over from
 *   a model is asked for the same call.
 */
export function createPlaces() {
  const counts = new Map<string, number>();
  const keyOf = ({ path, part }: Pick<RunPlace, 'path' | 'part'>, prompt: PromptName) =>
    `${part === undefined ? path : `${path}/${part}`} ${prompt}`;
  const countOf = (key: string, model: string) => counts.get(`${key} ${model}`) ?? 0;
  return {
    /** The name of the call that comes next, which is not counted. */
    next(place: Pick<RunPlace, 'path' | 'part'>, prompt: PromptName, model: string): string {
      const key = keyOf(place, prompt);
      return `${key} ${countOf(key, model) + 1}`;
    },
    take(place: Pick<RunPlace, 'path' | 'part'>, prompt: PromptName, model: string): string {
      const key = keyOf(place, prompt);
      const count = countOf(key, model) + 1;
      counts.set(`${key} ${model}`, count);
      return `${key} ${count}`;
    },
  };
}
