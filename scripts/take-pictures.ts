/**
 * Takes the pictures of the terminal in docs/pictures, light and dark, from the built program. Pictures that need a
 * model use a scripted one, as docs/terminal.md says.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runOnTerminal, type TerminalRun } from './pictures/run-on-terminal.ts';
import { startDoubtedModel, startScriptedModel } from './pictures/scripted-model.ts';
import { terminalSvg, themes } from './pictures/terminal-svg.ts';

const folder = fileURLToPath(new URL('../docs/pictures', import.meta.url));

async function take(name: string, title: string, run: TerminalRun): Promise<void> {
  const terminal = await runOnTerminal(run);
  for (const [look, theme] of Object.entries(themes)) {
    writeFileSync(join(folder, `${name}-${look}.svg`), terminalSvg(terminal, theme, title));
  }
  terminal.dispose();
}

mkdirSync(folder, { recursive: true });
await take('answer', 'A question about the folder examples/incident, answered without a model', {
  line: `rlm "What was the payments pool's maximum changed to?" examples/incident`,
  columns: 104,
  rows: 24,
  env: { RLM_PROVIDER: 'extractive' },
});

const model = await startScriptedModel();
const scripted = { OLLAMA_HOST: model.url, RLM_PROVIDER: 'ollama', OLLAMA_NUM_PARALLEL: '4' };
const line =
  'rlm "What happened to the payments pool, and what did it lead to?" examples/incident --strategy decompose';
for (const columns of [60, 80, 120]) {
  const [env, look] = columns === 120 ? [{ ...scripted, NO_COLOR: '1' }, ', without colour'] : [scripted, ''];
  const title = `The tree of questions while parts are answered, at ${columns} columns${look} (scripted replies)`;
  await take(`tree-${columns}`, title, { line, columns, rows: 30, env, until: /✔ .*connections[\s\S]*⠏/ });
}
const onEighty = { line, columns: 80, rows: 30, env: scripted };
await take('words-80', 'The words of the answer as they come (scripted replies)', { ...onEighty, until: /C-1187 was/ });
await take('checked', 'The checked answer with its sources (scripted replies)', onEighty);
await model.close();

const doubted = await startDoubtedModel();
await take('withdrawn', 'What the check withdraws, and an answer that was left for another (scripted replies)', {
  line: `rlm "What was the payments pool's maximum changed to?" examples/incident`,
  columns: 80,
  rows: 30,
  env: { OLLAMA_HOST: doubted.url, RLM_PROVIDER: 'ollama', RLM_EVIDENCE_CHECK: 'model' },
});
await doubted.close();
