import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take 5 s or more on two processors. They begin first, and files that mostly wait alternate with files that
 * compute. A long file that began last would use one processor and leave the other idle.
 */
const longest = [
  'e2e/mcp.test.ts',
  'e2e/mcp-hostile.test.ts',
  'report/browser.test.ts',
  'e2e/index.test.ts',
  'context/search/search.test.ts',
  'e2e/small-models.test.ts',
  'assemble/choose-retriever.test.ts',
  'e2e/server-faults.test.ts',
  'inputs/readers/worker-pool.test.ts',
  'e2e/stdin.test.ts',
  'examples/extractive-quality.test.ts',
  'e2e/pipes.test.ts',
  'sandbox/sandbox.test.ts',
  'e2e/time-limit.test.ts',
  'prompts/reply/parse-reply.properties.test.ts',
  'e2e/bad-input.test.ts',
  'strategies/repl/repl.test.ts',
  'examples/examples.test.ts',
  'sandbox/walls.test.ts',
  'e2e/secrets.test.ts',
  'retrievers/lexical/retriever.test.ts',
  'e2e/readers.test.ts',
  'indexes/refresh.test.ts',
];

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = longest.findIndex((name) => moduleId.endsWith(`/tests/${name}`));
  return place === -1 ? longest.length : place;
};

/** The order in which test files begin. Files that are not listed follow by size, the largest first. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((one, other) => placeOf(one) - placeOf(other));
  }
}
