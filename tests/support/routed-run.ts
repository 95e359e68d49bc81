import {
  type AskOptions,
  ask,
  createScriptedProvider,
  type ModelInfo,
  type Result,
  type RunEvent,
} from '../../src/index.ts';
import type { PromptName } from '../../src/prompts/index.ts';
import type { ScriptedProvider } from '../../src/providers/scripted/provider.ts';
import { type Script, sensible, withEveryStage } from './scripted-run.ts';

/** Creates a scripted provider with this name, which its answers contain. `changes` override its parts. */
export function namedProvider(name: string, script: Script = {}, changes: Partial<ModelInfo> = {}): ScriptedProvider {
  const answer = { answer: `From ${name}.`, citations: [], assumptions: [] };
  const provider = createScriptedProvider({ ...sensible, answer, ...script } as Parameters<
    typeof createScriptedProvider
  >[0]);
  return {
    ...provider,
    name,
    inspect: async (signal) => ({ ...(await provider.inspect(signal)), model: 'm', ...changes }),
  };
}

export interface Routed {
  readonly result: Result;
  readonly events: readonly RunEvent[];
  /** The prompts of each provider, in order. */
  readonly asked: Readonly<Record<string, readonly PromptName[]>>;
}

/** Asks the first of the providers, with the others available by name. */
export async function askRouted(
  [main, ...others]: readonly [ScriptedProvider, ...ScriptedProvider[]],
  settings: AskOptions['settings'],
  options: AskOptions = {},
  question = 'Why did it fail?',
): Promise<Routed> {
  const events: RunEvent[] = [];
  const result = await ask(question, {
    documents: [{ name: 'a.md', text: 'The pool was limited to 20.\nIt ran out at 02:14.\n' }],
    cwd: import.meta.dirname,
    env: { HOME: '/dev/null/nowhere' },
    ...options,
    settings: withEveryStage(settings),
    provider: main,
    providers: Object.fromEntries(others.map((provider) => [provider.name, provider])),
    onEvent: (event) => void events.push(event),
  });
  const promptsOf = ({ requests }: ScriptedProvider) => requests.map(({ input }) => input.prompt);
  return { result, events, asked: Object.fromEntries([main, ...others].map((one) => [one.name, promptsOf(one)])) };
}
