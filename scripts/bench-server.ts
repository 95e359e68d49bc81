/**
 * The model of the tree benchmark: a local server in a process of its own, so that its work is not counted as ours. It
 * answers every call after exactly the given time, and makes a tree of 30 calls: one plan, four key questions of which
 * three are split again, one of their nine parts being a repeated question that is answered without an assessment.
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
