import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take 5 s or more on two processors. They are begun first, those that wait beside those that compute: one
 * that is begun last has a processor to itself and leaves the other idle.
 */
const longest = [
  'e2e/mcp.test.ts',
  'scripts/fit-extractive.test.ts',
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

/** The order in which test files are begun; a larger file before a smaller one where neither is known to be long. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((one, other) => placeOf(one) - placeOf(other));
  }
}
