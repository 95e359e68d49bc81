import {
  type AskOptions,
  ask,
  createScriptedProvider,
  type ErrorCode,
  type ModelInfo,
  type ModelRequest,
  type Result,
  RlmError,
  type RunEvent,
} from '../../src/index.ts';
import type { PromptName, Reply, Variables } from '../../src/prompts/index.ts';
import type { ScriptedOptions, ScriptedReply, ScriptedSource } from '../../src/providers/scripted/provider.ts';

/** A reply for every call of a prompt, or a function. */
export type Script = { readonly [N in PromptName]?: ScriptedSource | string | object };

export const short = [
  { name: 'a.md', text: 'The pool was limited to 20.\nIt ran out at 02:14.\n' },
  { name: 'b.md', text: 'Release 4.2 went out at 02:00.\n' },
];

/** Text that fits no window, for which auto leaves the approach to the planner. */
export const long = [
  {
    name: 'long.md',
    text: `The pool was limited to 20 by release 4.2.\n${'Nothing else happened then.\n\n'.repeat(3_800)}`,
  },
];

export const plan = (changes: Partial<Reply<'planner'>> = {}): Reply<'planner'> => ({
  taskDecomposition: ['look'],
  keyQuestions: [],
  requiredInformation: [],
  successCriteria: [],
  approach: 'direct',
  ...changes,
});

export const part = (question: string, ...needs: number[]) => ({ question, needs });

/** A step of an exploration: its thought, and the tools that it calls. */
export const look = (...actions: readonly (readonly [tool: string, given: unknown])[]): Reply<'explore'> => ({
  thought: 'Let me see.',
  findings: [],
  next: '',
  actions: actions.map(([tool, given]) => ({ tool, arguments: given })),
});

/** A step that ends an exploration. */
export const finalAnswer = (answer: string, rest: object = {}) => look(['final_answer', { answer, ...rest }]);

/** Valid replies for every prompt; answers repeat the question. */
export const sensible: Script = {
  planner: plan(),
  assess: { verdict: 'SIMPLE', reason: 'easy' },
  decompose: { subQuestions: [] },
  answer: (request) => ({ answer: `About ${variables(request, 'answer').question}`, citations: [], assumptions: [] }),
  scan: { findings: [], more: 'no', asksFor: 'other' },
  explore: (request) => finalAnswer(`About ${variables(request, 'explore').question}`),
  repl: (request) => `FINAL(About ${variables(request, 'repl').question})`,
  conclude: (request) => ({
    answer: `About ${variables(request, 'conclude').question}`,
    citations: [],
    assumptions: [],
  }),
  form: {},
  answerable: 'YES',
  query: 'It says so.',
  hop: 'The same.',
  compose: { finalAnswer: 'All of it.', assumptions: [] },
  critic: { confidenceScore: 70, verdicts: [], gaps: [], conflicts: [], reasoning: 'fair' },
};

/** The typed variables of a request for that prompt. */
export function variables<N extends PromptName>({ input }: ModelRequest, _prompt: N): Variables<N> {
  return input.variables as Variables<N>;
}

export interface Asked {
  readonly result: Result;
  readonly events: readonly RunEvent[];
  readonly requests: readonly ModelRequest[];
  /** The prompts that were asked, in order. */
  readonly prompts: readonly PromptName[];
  /** How often each prompt was asked. */
  readonly calls: Readonly<Partial<Record<PromptName, number>>>;
  /** The requests of one prompt, by their variables. */
  of<N extends PromptName>(prompt: N): readonly Variables<N>[];
  /** The most calls that ran at once. */
  readonly atOnce: number;
}

interface Options extends Omit<AskOptions, 'provider'> {
  readonly scripted?: ScriptedOptions;
  /** Facts of the model that differ from those of a scripted one. */
  readonly model?: Partial<ModelInfo>;
}

/** Counts how many calls run at once. */
function counting(sources: Script): { script: Script; most(): number } {
  let running = 0;
  let most = 0;
  const wrap = (source: ScriptedSource | string | object) => async (request: ModelRequest, index: number) => {
    running += 1;
    most = Math.max(most, running);
    try {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return await replyOf(source, request, index);
    } finally {
      running -= 1;
    }
  };
  const script = Object.fromEntries(Object.entries(sources).map(([prompt, source]) => [prompt, wrap(source)]));
  return { script, most: () => most };
}

function replyOf(source: ScriptedSource | string | object, request: ModelRequest, index: number) {
  if (typeof source === 'function') return source(request, index);
  return Array.isArray(source) ? ((source[index] as ScriptedReply) ?? '') : (source as ScriptedReply);
}

/**
 * Every stage makes its call, so that a test of what one of them does is not one of when it is asked; a test of that
 * sets `stages` itself.
 */
const everyStage = { planner: 'always', critic: 'always' } as const;

export const withEveryStage = (settings: AskOptions['settings'] = {}): NonNullable<AskOptions['settings']> => ({
  ...settings,
  stages: { ...everyStage, ...(settings as { stages?: object }).stages },
});

/** Asks with a scripted provider, independent of the configuration of the machine. */
export async function askScripted(
  script: Script,
  options: Options = {},
  question = 'Why did it fail?',
): Promise<Asked> {
  const { scripted = {}, model = {}, ...rest } = options;
  const counted = counting({ ...sensible, ...script });
  const provider = createScriptedProvider(counted.script, scripted);
  const inspect = async (signal: AbortSignal) => ({ ...(await provider.inspect(signal)), ...model });
  const events: RunEvent[] = [];
  const result = await ask(question, {
    documents: short,
    cwd: import.meta.dirname,
    env: { HOME: '/dev/null/nowhere' },
    ...rest,
    settings: withEveryStage(rest.settings),
    provider: { ...provider, inspect },
    onEvent: (event) => {
      events.push(event);
      options.onEvent?.(event);
    },
  });
  const { requests } = provider;
  const calls: Partial<Record<PromptName, number>> = {};
  for (const { input } of requests) calls[input.prompt] = (calls[input.prompt] ?? 0) + 1;
  return {
    result,
    events,
    requests,
    prompts: requests.map(({ input }) => input.prompt),
    calls,
    of: (prompt) =>
      requests.filter(({ input }) => input.prompt === prompt).map((request) => variables(request, prompt)),
    atOnce: counted.most(),
  };
}

/** A call that fails with this error. */
export const failing = (code: ErrorCode) => () => new RlmError(code, 'no reply');

/** Settings that split the root into these parts. */
export const splitInto = (...parts: ReturnType<typeof part>[]): Script => ({
  planner: plan({ keyQuestions: parts, approach: 'decompose' }),
});

/** The strategy that splits. */
export const decomposing = { settings: { strategy: 'decompose' } } as const;
