import { RlmError } from '../../errors.ts';
import type { PromptInput, PromptName, Reply } from '../../prompts/index.ts';
import type { ModelInfo, ModelReply, Provider } from '../provider.ts';
import { answerFromPassages, composeParts } from './answer.ts';
import { critiqueAnswer } from './critique.ts';
import { answerQuery, assessQuestion, decomposeQuestion, planTask, scanPassages } from './prompts.ts';

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

function replyTo(input: PromptInput): Reply<PromptName> {
  switch (input.prompt) {
    case 'planner':
      return planTask(input.variables);
    case 'assess':
      return assessQuestion(input.variables);
    case 'decompose':
      return decomposeQuestion(input.variables);
    case 'answer':
      return answerFromPassages(input.variables);
    case 'scan':
      return scanPassages(input.variables);
    case 'conclude':
      return answerFromPassages(input.variables);
    case 'form':
      throw new RlmError('schema-unmet', 'without a language model only a computed value is put into the form', {
        hint: 'It goes into a schema of one value, of one field whose name or description has a word of the question, or of a list of objects whose fields are named as its columns. Name a language model (--provider, --model), or ask without --schema.',
      });
    case 'query':
      return answerQuery(input.variables);
    case 'compose':
      return composeParts(input.variables);
    case 'explore':
    case 'repl':
    case 'answerable':
    case 'hop':
    case 'classify':
    case 'transcribe':
      throw new RlmError('request-refused', 'the extractive provider judges no meaning', {
        hint: 'Name a language model (--provider, --model).',
      });
    case 'critic':
      return critiqueAnswer(input.variables);
  }
}

/** Creates the provider without a language model, which quotes and cites the best sentences of the passages. */
export function createExtractiveProvider(): Provider {
  return {
    name: 'extractive',
    async inspect(signal): Promise<ModelInfo> {
      signal.throwIfAborted();
      return about;
    },
    async call({ input }, { signal, onProgress }): Promise<ModelReply> {
      signal.throwIfAborted();
      const reply = replyTo(input);
      const text = 'reply' in reply ? reply.reply : 'json' in reply ? reply.json : JSON.stringify(reply);
      onProgress?.(text.length);
      return { text, toolCalls: [], tokens: { input: 0, output: 0 }, finish: 'stop' };
    },
  };
}
