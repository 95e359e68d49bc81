// The library: ask a question about files, watch events, and read the evidence. Run it with: node examples/library.mjs
import { fileURLToPath } from 'node:url';
import { ask, createScriptedProvider, RlmError } from 'rlm';

const cwd = fileURLToPath(new URL('.', import.meta.url));

const result = await ask('How long is a customer certificate of deletion kept?', {
  paths: ['handbook/'],
  cwd,
  settings: { budget: { timeout: 60 } },
  onEvent: (event) => {
    if (event.type === 'warning') console.error(`note: ${event.message}`);
  },
});

console.log(result.answer);
for (const { number, source, startLine, endLine } of result.citations) {
  console.log(`[${number}] ${source}:${startLine}-${endLine}`);
}
console.log(`status ${result.status}, confidence ${result.confidence ?? 'unknown'}, ${result.usage.calls} calls`);

// A provider of your own. This one replies from a script, which is useful to test a program that uses rlm.
const scripted = createScriptedProvider({
  planner: { keyQuestions: ['What is the answer?'], approach: 'direct' },
  answer: { answer: 'It is 42.' },
  critic: { confidenceScore: 10 },
});
const short = await ask('What is the answer?', { provider: scripted });
console.log(short.answer, short.confidence);

// `ask` rejects if the run cannot begin. If a run fails, `ask` resolves, and the result contains the error.
await ask('Is anybody there?', { paths: ['no-such-file.md'], cwd }).catch((error) => {
  if (!(error instanceof RlmError)) throw error;
  console.log(`${error.code}: ${error.message}`);
});
