/**
 * The model of the tree benchmark: a local server in a separate process, so that its work is not measured. It answers
 * every call after exactly the given time. Its answers make a tree of 30 calls: one plan, and four key questions, three
 * of which are split again. One of the nine parts is a repeated question, which is answered without an assessment.
 */
import { replyByFormat, startOllamaServer } from '../tests/servers/ollama-server.ts';

const question = (text: string) => ({ question: text, needs: [] });
const top = ['alpha', 'beta', 'gamma', 'delta'].map((name) => question(`What is ${name}?`));
const parts = {
  alpha: [1, 2, 3].map((part) => question(`What is part ${part} of alpha-set?`)),
  beta: [1, 2, 3].map((part) => question(`What is part ${part} of beta-set?`)),
  gamma: [
    question('What is part 1 of gamma-set?'),
    question('What is part 2 of gamma-set?'),
    question('What is gamma?'),
  ],
};

const splitName = (text: string) =>
  /^The question:\nWhat is (alpha|beta|gamma)\?$/m.exec(text)?.[1] as keyof typeof parts | undefined;

const server = await startOllamaServer({
  latencyMs: Number(process.argv[2]),
  reply: replyByFormat({
    planner: {
      taskDecomposition: [],
      keyQuestions: top,
      requiredInformation: [],
      successCriteria: [],
      approach: 'decompose',
    },
    assess: ({ messages }) => ({ verdict: splitName(messages.at(-1)!.content) ? 'COMPLEX' : 'SIMPLE', reason: '' }),
    decompose: ({ messages }) => ({ subQuestions: parts[splitName(messages.at(-1)!.content)!] }),
    answer: { answer: 'It is so.', citations: [], assumptions: [] },
    compose: { finalAnswer: 'They are so.', assumptions: [] },
    critic: { confidenceScore: 50, verdicts: [], gaps: [], conflicts: [], reasoning: '' },
  }),
});
process.send?.({ url: server.url });
process.once('message', () => process.send?.({ maxInFlight: server.maxInFlight }, () => process.exit()));
