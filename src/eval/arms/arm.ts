/** The ways of answering that an evaluation compares. */
import { RlmError } from '../../errors.ts';
import { strategyNames } from '../../state.ts';

/** A way of answering: a plain call, the best passages and one call, or this program with some settings. */
export interface Arm {
  readonly name: string;
  readonly kind: 'plain' | 'rag' | 'ask';
  /** Its settings in addition to those of the evaluation, by dotted key, as typed. */
  readonly settings: Readonly<Record<string, string>>;
}

const strategies = ['auto', ...strategyNames];

/** Names of the arms that need no settings. */
export const armNames: readonly string[] = ['plain', 'rag', ...strategies];

const wrong = (message: string, hint: string) => new RlmError('usage', message, { hint });

function armOf(strategy: string, name: string, settings: Readonly<Record<string, string>>): Arm {
  if (strategy === 'plain' || strategy === 'rag') return { name, kind: strategy, settings };
  return { name, kind: 'ask', settings: { ...settings, strategy } };
}

function named(name: string): Arm {
  if (armNames.includes(name)) return armOf(name, name, {});
  throw wrong(
    `there is no arm "${name}"`,
    `The arms are ${armNames.join(', ')}; others: --arm "NAME: SETTING=VALUE …".`,
  );
}

/** Reads the description of an arm: `8b: model=llama3.1:8b strategy=direct`. */
function described(text: string): Arm {
  const [, name, rest = ''] = /^\s*([\w.+-]+)\s*:\s*(.*)$/s.exec(text) ?? [];
  const example = 'Such as: --arm "8b: model=llama3.1:8b strategy=direct"';
  if (name === undefined) throw wrong(`--arm cannot be "${text}"`, example);
  const pairs = rest.split(/\s+/).filter((part) => part !== '');
  const settings = pairs.map((part): [string, string] => {
    const at = part.indexOf('=');
    if (at <= 0) throw wrong(`--arm "${name}" has "${part}", which is not SETTING=VALUE`, example);
    return [part.slice(0, at), part.slice(at + 1)];
  });
  const { strategy = 'auto', ...others } = Object.fromEntries(settings);
  return armOf(strategy, name, others);
}

/**
 * Reads the arms of `--arms plain,auto` and of each `--arm "NAME: SETTING=VALUE …"`.
 * @throws RlmError `usage`.
 */
export function parseArms(names: readonly string[], descriptions: readonly string[]): readonly Arm[] {
  const arms = [...names.map(named), ...descriptions.map(described)];
  const twice = arms.find(({ name }, at) => arms.findIndex((arm) => arm.name === name) !== at);
  if (twice !== undefined) throw wrong(`two arms are called "${twice.name}"`, 'Give each a name of its own.');
  if (arms.length > 0) return arms;
  throw wrong('there is no arm', `Name some: --arms ${armNames.join(',')}`);
}
