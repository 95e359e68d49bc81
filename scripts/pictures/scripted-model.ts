/** Simulates a model that takes some time for each call and writes its answer word by word. */
import { faults } from '../../tests/servers/faults.ts';
import { type OllamaServer, replyByFormat, startOllamaServer } from '../../tests/servers/ollama-server.ts';

const questions = [
  'How many connections did the payments pool have before the change, and how many after it?',
  'Which orders failed first?',
  'How was the outage ended?',
];

/** The answer to each part, with a text of the passage that supports it. */
const answers: readonly (readonly [about: RegExp, answer: string, passage: RegExp])[] = [
  [/How many connections/, 'The maximum went from 40 to 4 connections', /from 40 to 4/],
  [/Which orders/, 'Orders of the checkout service failed at 13:47:52', /13:47:52/],
  [/How was the outage/, 'Config revision C-1187 was reverted', /C-1187/],
];

const composed = (marks: readonly string[]) => `The payments pool went from 40 to 4 connections ${marks[0] ?? ''}.

Orders of the checkout service failed at 13:47:52 ${marks[1] ?? ''}, and the outage ended when config revision C-1187 was reverted ${marks[2] ?? ''}.`;

/** Returns the mark of the first passage in a prompt that contains a text. */
function markOf(prompt: string, wanted: RegExp): string {
  const passages = [...prompt.matchAll(/<passage id="(P\d+)"[^>]*>([\s\S]*?)<\/passage>/g)];
  const found = passages.find(([, , text]) => wanted.test(text!));
  return found ? `[${found[1]}]` : '';
}

const parts = questions.map((question) => ({ question, needs: [] }));

const critic = { confidenceScore: 80, verdicts: [], gaps: [], conflicts: [], reasoning: 'It holds.' };

/** Starts the model's server. Later parts take longer, so that a picture shows finished and unfinished parts. */
export function startScriptedModel(): Promise<OllamaServer> {
  return startOllamaServer({
    latencyMs: 300,
    pieceLength: 5,
    reply: replyByFormat({
      decompose: { subQuestions: parts },
      assess: { verdict: 'SIMPLE', reason: 'one fact' },
      answer: ({ messages }) => {
        const prompt = messages.at(-1)!.content;
        const asked = prompt.split('The question:').at(-1)!;
        const index = answers.findIndex(([about]) => about.test(asked));
        const [, answer, passage] = answers[index] ?? answers[0]!;
        return faults.drip(`${answer} ${markOf(prompt, passage)}.`, 20 + 150 * Math.max(0, index));
      },
      compose: ({ messages }) => {
        const marks = messages.at(-1)!.content.match(/\[P\d+\]/g) ?? [];
        return faults.drip(composed(marks), 60);
      },
      critic,
    }),
  });
}

/** Starts the server of a model that finds nothing at first, and then claims more than the text says. */
export function startDoubtedModel(): Promise<OllamaServer> {
  return startOllamaServer({
    latencyMs: 100,
    reply: replyByFormat({
      answer: {
        answer: 'The passages do not tell what the maximum was changed to.',
        ...{ citations: [], assumptions: [], tells: 'nothing', missing: ['What was db.payments.pool.max changed to?'] },
      },
      explore: ({ messages }) => {
        const mark = markOf(messages.map(({ content }) => content).join('\n'), /from 40 to 4/);
        const answer = `The maximum of the pool was changed from 40 to 4 ${mark}. It was 5,000 in the end ${mark}.`;
        const found = { tool: 'final_answer', arguments: { answer, evidence: [], tells: 'all' } };
        const look = { tool: 'grep', arguments: { words: 'changed db.payments.pool.max from 40 to 4' } };
        return { thought: '', findings: [], next: '', actions: [mark === '' ? look : found] };
      },
      critic: {
        ...critic,
        confidenceScore: 40,
        verdicts: [
          { claim: 1, verdict: 'supported', quote: 'from 40 to 4', wrong: '' },
          { claim: 2, verdict: 'contradicted', quote: 'from 40 to 4', wrong: 'it was 4 in the end' },
        ],
      },
    }),
  });
}
