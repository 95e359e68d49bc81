/** The choices that `rlm eval tune` tries: few, so that the best is unlikely to win by chance. */
import { type Configuration, RlmError } from '../../index.ts';

/** Settings to put into the configuration, by dotted key. */
export interface TuningChoice {
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** The name of the present configuration. */
export const asItIs = 'as-it-is';

const always: readonly TuningChoice[] = [
  { name: 'fewer-passages', settings: { 'context.passages': '4' } },
  { name: 'more-passages', settings: { 'context.passages': '16' } },
  { name: 'small-passages', settings: { 'context.chunkTokens': '200', 'context.passages': '16' } },
  { name: 'large-passages', settings: { 'context.chunkTokens': '1000', 'context.passages': '5' } },
  { name: 'overlap', settings: { 'context.overlapTokens': '100' } },
  { name: 'no-planner', settings: { 'stages.planner': 'never' } },
  { name: 'planner', settings: { 'stages.planner': 'always' } },
  { name: 'no-critic', settings: { 'stages.critic': 'never' } },
  { name: 'critic', settings: { 'stages.critic': 'always' } },
  { name: 'direct', settings: { strategy: 'direct' } },
  { name: 'decompose', settings: { strategy: 'decompose' } },
  { name: 'scan', settings: { strategy: 'scan' } },
  { name: 'explore', settings: { strategy: 'explore' } },
];

/** Choices for configurations with an embedding model. */
const byMeaning: readonly TuningChoice[] = [
  { name: 'by-words', settings: { 'retrieval.mode': 'lexical' } },
  { name: 'by-meaning', settings: { 'retrieval.mode': 'vector' } },
];

/** Finds choices by name. Throws RlmError `usage`. */
function named(names: readonly string[], all: readonly TuningChoice[]): readonly TuningChoice[] {
  return names.map((name) => {
    const choice = all.find((one) => one.name === name);
    if (choice !== undefined) return choice;
    throw new RlmError('usage', `there is no choice "${name}"`, {
      hint: `The choices are ${all.map((one) => one.name).join(', ')}.`,
    });
  });
}

/**
 * Returns the choices that differ from the configuration, after the present configuration.
 * @param names those to try; null: all.
 */
export function choicesFor({ values }: Pick<Configuration, 'values'>, names: readonly string[] | null) {
  const all = values.get('embedding.model') === null ? always : [...always, ...byMeaning];
  const changes = ({ settings }: TuningChoice) =>
    Object.entries(settings).some(([key, value]) => String(values.get(key)) !== value);
  const wanted = names === null ? all : named(names, all);
  return [{ name: asItIs, settings: {} }, ...wanted.filter(changes)] as const;
}
