import { RlmError } from '../../errors.ts';
import type { PromptName, Reply, Variables } from '../../prompts/index.ts';
import type { ModelInfo, ModelReply, Provider } from '../provider.ts';
import { answerFromPassages, composeParts } from './answer.ts';
import { answerQuery, assessQuestion, critiqueAnswer, decomposeQuestion, planTask, scanPassages } from './prompts.ts';

const about: ModelInfo = {
  model: 'extractive',
  maxWindowTokens: 16_384,
  structuredOutput: true,
  tools: false,
  spends: 'nothing',
  digest: null,
  callsAtOnce: 8,
  answersWithoutText: false,
  quotes: true,
  notices: [],
};

function noForm(): never {
  throw new RlmError('schema-unmet', 'without a language model, --schema works only for answers that rlm computes', {
    hint: 'Name a language model (--provider, --model), or ask without --schema. A computed value fits a schema of a single value, or of an object with one field whose name or description shares a word with the question. Computed rows fit a schema of a list of objects whose fields are named like the columns.',
  });
}

function noJudgement(): never {
  throw new RlmError('request-refused', 'the extractive provider cannot judge meaning', {
    hint: 'Name a language model (--provider, --model).',
  });
}

/** Prompts without a function here need a language model. */
const repliers: { readonly [N in PromptName]?: (variables: Variables<N>) => Reply<PromptName> } = {
  planner: planTask,
  assess: assessQuestion,
  decompose: decomposeQuestion,
  answer: answerFromPassages,
  scan: scanPassages,
  conclude: answerFromPassages,
  form: noForm,
  query: answerQuery,
  compose: composeParts,
  critic: critiqueAnswer,
};

/** Creates the provider that uses no language model. It quotes and cites the best sentences of the passages. */
export function createExtractiveProvider(): Provider {
  return {
    name: 'extractive',
    async inspect(signal): Promise<ModelInfo> {
      signal.throwIfAborted();
      return about;
    },
    async call({ input: { prompt, variables } }, { signal, onProgress }): Promise<ModelReply> {
      signal.throwIfAborted();
      const replier = (repliers[prompt] ?? noJudgement) as (variables: unknown) => Reply<PromptName>;
      const reply = replier(variables);
      const text = 'reply' in reply ? reply.reply : 'json' in reply ? reply.json : JSON.stringify(reply);
      onProgress?.(text.length);
      return { text, toolCalls: [], tokens: { input: 0, output: 0 }, finish: 'stop' };
    },
  };
}
