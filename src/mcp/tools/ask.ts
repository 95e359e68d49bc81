import { type AskedAnswer, answerSchema, answerText, toAnswer } from '../asking/answers.ts';
import { type GivenQuestion, questionInput, toAsked } from '../asking/question.ts';
import { mcpTool } from '../tool.ts';

export const askTool = mcpTool<GivenQuestion, AskedAnswer>({
  name: 'rlm_ask',
  title: 'Ask about a large text',
  about:
    'Answers a question about files, folders or a loaded context that may be far larger than your window, with checked citations (file and lines), a computed confidence and warnings. The text does not pass through you. For runs that take more than a minute, use rlm_start and rlm_result.',
  input: questionInput,
  output: answerSchema,
  isReadOnly: false,
  isIdempotent: false,
  asksModel: true,
  async run(given, call) {
    const { world, signal, onEvent } = call;
    return toAnswer(await world.asking.ask(await toAsked(given, call), signal, onEvent));
  },
  toText: answerText,
});
