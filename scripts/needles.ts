/** One fact in a text without other facts, and a model that writes the obvious search for it. */
import { ask, createScriptedProvider, type Result } from '../src/index.ts';
import { createRandom } from './random.ts';

const bytesPerToken = 4;
const words =
  'the a river stone old garden light morning road market window paper letter winter engine valley green quiet under over between song table harbour'.split(
    ' ',
  );

interface Haystack {
  readonly text: string;
  readonly question: string;
  readonly needle: string;
}

/** Creates a text of about this many tokens, with a needle at a place that the seed determines. */
export function createHaystack(tokens: number, seed: number): Haystack {
  const random = createRandom(seed);
  const below = (count: number) => Math.floor(random() * count);
  const sentence = () => {
    const length = 6 + below(12);
    return `${Array.from({ length }, () => words[below(words.length)]).join(' ')}.\n`;
  };
  const paragraph = Array.from({ length: 400 }, sentence);
  const key = `${words[below(words.length)]}-${below(1_000)}`;
  const needle = String(1_000_000 + below(9_000_000));
  const parts: string[] = [];
  for (let left = tokens * bytesPerToken; left > 0; left -= parts.at(-1)!.length)
    parts.push(`${parts.length} ${paragraph[below(paragraph.length)]}`);
  parts.splice(below(parts.length + 1), 0, `One of the special magic numbers for ${key} is: ${needle}.\n`);
  return { text: parts.join(''), question: `What is the special magic number for ${key}?`, needle };
}

const fence = '```';

/** The code of a model that knows how such texts are made. */
const searches = (question: string): readonly string[] => {
  const [, key] = /for (\S+)\?/.exec(question)!;
  return [
    `I look at the text.\n${fence}js\nprint(context.length, context.slice(0, 300));\n${fence}`,
    `I search.\n${fence}js\nconst found = context.match(/special magic numbers? for ${key} is: (\\d+)/);\nprint(found && found[0]);\n${fence}`,
    `${fence}js\nFINAL(cite(found[0]) ? "The magic number is " + found[1] + " " + cite(found[0]) : "not found");\n${fence}`,
  ];
};

/** The other replies: a plan, and a critique without objections. */
export const around = {
  planner: {
    taskDecomposition: [],
    keyQuestions: [],
    requiredInformation: [],
    successCriteria: [],
    approach: 'repl',
  },
  critic: { confidenceScore: 90, verdicts: [], gaps: [], conflicts: [], reasoning: 'It stands there.' },
};

/** Asks for the needle with `--strategy repl`. */
export function findNeedle({ text, question }: Haystack): Promise<Result> {
  return ask(question, {
    documents: [{ name: 'haystack.txt', text }],
    provider: createScriptedProvider({ repl: searches(question), ...around }),
    settings: { strategy: 'repl' },
    cwd: import.meta.dirname,
    env: { HOME: '/dev/null/nowhere' },
  });
}
