/** Asks questions of several hops through the real pipeline, and measures whether the gold passages are fetched. */
import { createContextStore } from '../../src/context/store/store.ts';
import { ask, createScriptedProvider, type ModelRequest, type Provider, type TreeNode } from '../../src/index.ts';
import { createExtractiveProvider } from '../../src/providers/extractive/provider.ts';
import { createLexicalRetriever } from '../../src/retrievers/lexical/retriever.ts';
import type { Query } from '../../src/retrievers/retriever.ts';
import type { Passage } from '../../src/state.ts';
import { allFound, mean } from './measures.ts';
import { searchTwice } from './search-twice.ts';
import type { HopQuestion, TestSet } from './test-sets.ts';

/** Larger than any passage, so that a passage is one chunk. */
const chunkBytes = 8_000;

interface Fetched {
  /** Whether all gold passages were fetched: 0 or 1. */
  readonly all: number;
  /** The number of different passages that were fetched. */
  readonly passages: number;
  /** The share of sub-questions whose answer holds the gold answer, 0–1; null without sub-questions. */
  readonly right: number | null;
}

/** `#1` stands for the answer to the first sub-question. The reasoner passes that answer with the question. */
function subQuestions({ hops }: HopQuestion) {
  return hops.map(({ question }, index) => ({
    question: question.replace(/#\d+/g, 'it').replace(' >> ', ': '),
    needs: [...question.matchAll(/#(\d+)/g)].map(([, number]) => Number(number)).filter((number) => number <= index),
  }));
}

function scriptFor(asked: HopQuestion) {
  const parts = subQuestions(asked);
  const goldAnswer = ({ input }: ModelRequest) => {
    const { question } = input.variables as { question: string };
    const answer = asked.hops[parts.findIndex((part) => part.question === question)]?.answer ?? '';
    return { answer, citations: [], assumptions: [] };
  };
  return {
    planner: {
      taskDecomposition: [],
      keyQuestions: parts,
      requiredInformation: [],
      successCriteria: [],
      approach: 'decompose',
    },
    assess: { verdict: 'SIMPLE', reason: 'one hop' },
    answer: goldAnswer,
    compose: { finalAnswer: asked.answers[0]!, assumptions: [] },
    critic: { confidenceScore: 50, verdicts: [], gaps: [], conflicts: [], reasoning: 'not looked at' },
  };
}

/** Creates a provider that plans with the gold decomposition, and answers the parts from passages without a model. */
function extractiveAnswers(asked: HopQuestion): Provider {
  const scripted = createScriptedProvider(scriptFor(asked));
  const extractive = createExtractiveProvider();
  const planned = new Set(['planner', 'assess']);
  return {
    name: 'scripted',
    inspect: (signal) => scripted.inspect(signal),
    call: (request, options) => (planned.has(request.input.prompt) ? scripted : extractive).call(request, options),
  };
}

/** Whether an answer contains a text, ignoring case. */
const holds = (answer: string | null, text: string): boolean =>
  answer?.toLowerCase().includes(text.toLowerCase()) ?? false;

async function fetchByHops(
  { documents }: TestSet,
  asked: HopQuestion,
  provider: Provider,
  passages: number,
): Promise<Fetched> {
  const { recursionTree } = await ask(asked.text, {
    provider,
    documents: documents.map(({ name, bytes }) => ({ name, text: Buffer.from(bytes).toString() })),
    settings: {
      strategy: 'decompose',
      stages: { planner: 'always' },
      context: { passages, chunkTokens: Math.ceil(chunkBytes / 3) },
    },
    env: {},
  });
  const parts: readonly TreeNode[] = recursionTree?.children ?? [];
  const sources = [...new Set(parts.flatMap((part) => part.passages.map(({ source }) => source)))];
  return {
    all: allFound(sources, asked.relevant, sources.length),
    passages: sources.length,
    // A question whose form shows its parts may have more parts than its gold decomposition.
    right: mean(asked.hops.map((hop, index) => Number(holds(parts[index]?.answer ?? null, hop.answer)))),
  };
}

function printRow(label: string, asked: readonly HopQuestion[], fetched: readonly Fetched[]): void {
  const share = (values: readonly Fetched[]) => mean(values.map(({ all }) => all)).toFixed(3);
  const perHops = [2, 3, 4].map((hops) => share(fetched.filter((_, index) => asked[index]!.relevant.size === hops)));
  const passages = mean(fetched.map((one) => one.passages)).toFixed(1);
  const rights = fetched.flatMap(({ right }) => right ?? []);
  const right = rights.length > 0 ? mean(rights).toFixed(2) : '';
  console.log(
    `${label.padEnd(62)} ${share(fetched)}  (${perHops.join(' ')})  ${passages.padStart(5)}  ${right.padStart(6)}`,
  );
}

type Find = (query: Query) => Promise<readonly Passage[]>;
type SingleShot = readonly [label: string, limitFor: (asked: HopQuestion) => number, find?: Find];

const budgets = (once: Find): readonly SingleShot[] => [
  ['one retrieval for the whole question, 5 a question', () => 5],
  ['one retrieval for the whole question, 5 times its hops', ({ hops }) => 5 * hops.length],
  ['one retrieval for the whole question, 8 a question', () => 8],
  ['one retrieval for the whole question, 12 a question', () => 12],
  ['8 a question, and a second search as a run makes it', () => 8, (query) => searchTwice(once, query)],
  ['one retrieval for the whole question, 32 a question', () => 32],
  ['28 a question, and a second search as a run makes it', () => 28, (query) => searchTwice(once, query)],
];

/** Retrieves the same number of passages for the original question. */
async function printSingleShot({ documents, queries }: TestSet<HopQuestion>): Promise<void> {
  const retriever = createLexicalRetriever(createContextStore(documents, { chunkBytes }));
  const once: Find = (query) => retriever.retrieve(query, new AbortController().signal);
  for (const [label, limitFor, find = once] of budgets(once)) {
    const fetched = queries.map(async (asked) => {
      const found = await find({ text: asked.text, limit: limitFor(asked), maxBytes: Number.MAX_SAFE_INTEGER });
      const names = found.map(({ source }) => source);
      return { all: allFound(names, asked.relevant, names.length), passages: names.length, right: null };
    });
    printRow(label, queries, await Promise.all(fetched));
  }
}

/**
 * Prints the share of questions whose gold passages were all fetched by their sub-questions. Passages that the root
 * fetched count if a sub-question was shown them.
 */
export async function printHops(musique: TestSet<HopQuestion>): Promise<void> {
  const { queries } = musique;
  const budgets: readonly (readonly [string, (asked: HopQuestion) => number])[] = [
    ['5 a question: 5 / hops each, rounded down', ({ hops }) => Math.floor(5 / hops.length)],
    ['5 a sub-question', () => 5],
  ];
  const providers: readonly (readonly [string, (asked: HopQuestion) => Provider])[] = [
    ['gold answers', (asked) => createScriptedProvider(scriptFor(asked))],
    ['extractive answers', extractiveAnswers],
  ];
  console.log(
    `\n${'MuSiQue, gold decomposition through the reasoner'.padEnd(62)} all    (2/3/4 hops)         fetched  right`,
  );
  await printSingleShot(musique);
  for (const [answers, providerFor] of providers) {
    for (const [budget, passagesFor] of budgets) {
      const fetched: Fetched[] = [];
      for (const asked of queries) {
        fetched.push(await fetchByHops(musique, asked, providerFor(asked), passagesFor(asked)));
      }
      printRow(`${answers}, ${budget}`, queries, fetched);
    }
  }
}
