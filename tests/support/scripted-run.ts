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

/** Text that fits no window, for which `auto` lets the planner choose the approach. */
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

/** Creates a step of an exploration: its thought, and the tools that it calls. */
export const look = (...actions: readonly (readonly [tool: string, given: unknown])[]): Reply<'explore'> => ({
  thought: 'Let me see.',
  findings: [],
  next: '',
  actions: actions.map(([tool, given]) => ({ tool, arguments: given })),
});

/** Creates a step that ends an exploration. */
export const finalAnswer = (answer: string, rest: object = {}) => look(['final_answer', { answer, ...rest }]);

/** Valid replies for every prompt. Answers repeat the question. */
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

/** Returns the typed variables of a request for a prompt. */
export function variables<N extends PromptName>({ input }: ModelRequest, _prompt: N): Variables<N> {
  return input.variables as Variables<N>;
}

export interface Asked {
  readonly result: Result;
  readonly events: readonly RunEvent[];
  readonly requests: readonly ModelRequest[];
  /** The requested prompts, in order. */
  readonly prompts: readonly PromptName[];
  /** How often each prompt was requested. */
  readonly calls: Readonly<Partial<Record<PromptName, number>>>;
  /** Returns the variables of the requests of one prompt. */
  of<N extends PromptName>(prompt: N): readonly Variables<N>[];
  /** The highest number of concurrent calls. */
  readonly atOnce: number;
}

interface Options extends Omit<AskOptions, 'provider'> {
  readonly scripted?: ScriptedOptions;
  /** Facts about the model that differ from those of a scripted one. */
  readonly model?: Partial<ModelInfo>;
}

/** Counts concurrent calls. */
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
 * Makes every stage call its model, so that tests of a stage do not depend on when the stage is asked. Tests of that
 * set `stages` themselves.
 */
const everyStage = { planner: 'always', critic: 'always' } as const;

export const withEveryStage = (settings: AskOptions['settings'] = {}): NonNullable<AskOptions['settings']> => ({
  ...settings,
  stages: { ...everyStage, ...(settings as { stages?: object }).stages },
});

/** Asks a scripted provider, independently of the machine's configuration. */
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

/** Creates a call that fails with this error. */
export const failing = (code: ErrorCode) => () => new RlmError(code, 'no reply');

/** Creates the options that split the root into these parts. */
export const splitInto = (...parts: ReturnType<typeof part>[]): Script => ({
  planner: plan({ keyQuestions: parts, approach: 'decompose' }),
});

/** The strategy that splits. */
export const decomposing = { settings: { strategy: 'decompose' } } as const;
