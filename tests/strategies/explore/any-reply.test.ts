import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tools } from '../../../src/tools/index.ts';
import { explore } from '../../support/exploring.ts';
import { shaped } from '../../support/shapes.ts';

const documents = [
  { name: 'a.md', text: 'The pool was limited to 20.\n' },
  { name: 'b.md', text: 'Release 4.2 went out.\n' },
];

const json = fc.jsonValue({ maxDepth: 3 });
const toolName = fc.oneof(fc.constantFrom(...tools.map(({ name }) => name)), fc.string());
const argument = fc.constantFrom(
  'context',
  'source',
  'startLine',
  'chunk',
  'words',
  'pattern',
  'query',
  'queries',
  'question',
  'text',
  'answer',
  'evidence',
  'findings',
  'path',
  'expression',
);
const given = fc.oneof(
  json,
  fc.dictionary(argument, fc.oneof(json, fc.constantFrom('text', 'a.md', 1, '1', 'pool', '(', 'P1')), { maxKeys: 4 }),
);
const action = fc.oneof(json, fc.record({ tool: toolName, arguments: given }));
const reply = fc.oneof(
  fc.string(),
  json.filter((value) => typeof value === 'object' && value !== null),
  fc.record({
    thought: json,
    findings: json,
    next: json,
    actions: fc.oneof(json, fc.array(action, { maxLength: 10 })),
  }),
);

it('ends well-formed and within its limits, whatever the model replies', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(reply as fc.Arbitrary<string | object>, { minLength: 1, maxLength: 6 }),
      async (replies) => {
        const { result } = await explore(replies, { documents, settings: { budget: { maxCalls: 20 } } });
        expect(() => shaped('result', JSON.parse(JSON.stringify(result)))).not.toThrow();
        expect(['answered', 'partial']).toContain(result.status);
        expect(result.error?.code).not.toBe('internal');
        expect(result.usage.calls).toBeLessThanOrEqual(20);
      },
    ),
    { numRuns: 60 },
  );
});
