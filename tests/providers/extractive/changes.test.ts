import { describe, expect, it } from 'vitest';
import { noQueries } from '../../../src/prompts/answer.ts';
import { createExtractiveProvider } from '../../../src/providers/extractive/index.ts';

const provider = createExtractiveProvider();
const { signal } = new AbortController();
const options = {
  schema: null,
  tools: [],
  temperature: 0,
  seed: null,
  logprobs: false,
  maxOutputTokens: 1000,
  windowTokens: 8192,
  messages: [],
};
const place = { startLine: 1, endLine: 1, startByte: 0, endByte: 0, score: 1, hash: '' };

async function answer(question: string, source: string, text: string): Promise<string> {
  const variables = {
    question,
    passages: [{ id: 'P1', source, text, ...place }],
    known: [],
    criteria: [],
    ...noQueries,
  };
  const reply = await provider.call({ input: { prompt: 'answer', variables }, ...options }, { signal });
  return JSON.parse(reply.text).answer;
}

const oven = `# The bakery in May

On Monday the windows were cleaned. Ada lowered the thermostat of the oven from 220 to 120 degrees on Tuesday.
The flour was moved from the cellar to the attic. On Wednesday the bread failed to rise: the thermostat held the oven too cold.
Nothing was changed in the recipe. On Friday the thermostat was rolled back from 120 to 220 degrees.
`;
const gateway = `2024-02-01T10:00:00Z INFO  gateway settings: workers 8 -> 8
2024-02-01T10:00:01Z INFO  gateway settings: banner text old -> new
2024-02-01T10:00:02Z INFO  gateway settings: upstream.timeout 30s -> 1s
2024-02-01T10:05:00Z ERROR gateway login failed: upstream.timeout exceeded after 1s
2024-02-01T11:00:00Z INFO  gateway settings: restored upstream.timeout 1s -> 30s
`;
const strike = `The talks reached a dead end on 3 May at 14:00. The front end of the march broke up at 15:10.
The strike began on 2 May at 06:00. The strike was resolved on 9 May at 21:30, and the trains were back to normal at 05:00.
Tickets are valid until 31 May.
`;
const leak = `1. Fix the leak by hand: find the leak, close the valve \`V2\` and run the pump.

The leak was found at noon. The leak was fixed by replacing the gasket. A leak is a nuisance.
`;

describe('the extractive provider answers with', () => {
  it.each([
    [
      'the change, not with what took it back',
      'Which change broke the bread?',
      oven,
      'lowered the thermostat of the oven from 220 to 120',
    ],
    [
      'the change that shares words with the failure',
      'Which setting change broke the login?',
      gateway,
      'upstream.timeout 30s -> 1s',
    ],
    ['what was raised or lowered', 'Which thermostat was lowered?', oven, 'from 220 to 120'],
    ['the end, not with a dead end', 'When did the strike end?', strike, 'resolved on 9 May at 21:30'],
    ['the dead end where that is asked for', 'When was the dead end reached?', strike, 'reached a dead end on 3 May'],
    ['what was done, not with what one should do', 'How was the leak fixed?', leak, 'fixed by replacing the gasket'],
  ])('%s', async (_, question, text, expected) => {
    const [first] = (await answer(question, 'notes.txt', text)).split('\n');
    expect(first).toContain(expected);
  });

  it('nothing that was not changed or was taken back', async () => {
    const said = await answer('Which change broke the bread?', 'notes.txt', oven);
    expect(said).not.toMatch(/recipe|rolled back/);
    expect(await answer('Which setting change broke the login?', 'gateway.log', gateway)).not.toMatch(
      /restored|workers|banner/,
    );
  });

  it('no change where the text does not hold its alleged effect', async () => {
    expect(await answer('Which setting change broke the submarine?', 'gateway.log', gateway)).toMatch(/^Not found: /);
  });
});
