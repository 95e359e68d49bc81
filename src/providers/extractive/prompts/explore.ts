import { contentTerms } from '../../../context/words/terms.ts';
import type { Reply, Variables } from '../../../prompts/index.ts';
import type { Action } from '../../../prompts/reply/fields.ts';
import type { ExploreStep, Passage } from '../../../state.ts';
import { answerFromPassages } from './answer.ts';

const tagged =
  /<passage id="(P\d+)" source="([^"\n]*)" lines="(\d+)-(\d+)"(?: under="[^"\n]*")?>\n([\s\S]*?)\n<\/passage>/g;

/** Reads the passages that a text shows between tags. */
function passagesIn(text: string): Passage[] {
  return [...text.matchAll(tagged)].map(({ 1: id = '', 2: source = '', 3: first, 4: last, 5: body = '' }) => {
    const [startLine, endLine] = [Number(first), Number(last)];
    return { id, source, startLine, endLine, startByte: 0, endByte: 0, text: body, score: 0, hash: '' };
  });
}

/** Returns the passages that the steps showed, each once, in the longest form shown. */
function shownBy(steps: readonly ExploreStep[]): readonly Passage[] {
  const all = steps.flatMap(({ calls }) => calls.flatMap(({ result }) => passagesIn(result)));
  const longest = new Map<string, Passage>();
  for (const passage of all) {
    const known = longest.get(passage.id);
    if (known === undefined || known.text.length < passage.text.length) longest.set(passage.id, passage);
  }
  return [...longest.values()];
}

/** Returns the action that reads around the line that a search found first: `[P12] notes.md:40: …`. */
function lookAround(steps: readonly ExploreStep[]): Action[] {
  for (const { result } of steps.flatMap(({ calls }) => calls)) {
    const [, source, line] = /^\[P\d+\] (.+?):(\d+): /m.exec(result) ?? [];
    if (source === undefined) continue;
    const startLine = Math.max(1, Number(line) - 10);
    return [{ tool: 'peek_context', arguments: { source, startLine, endLine: Number(line) + 10 } }];
  }
  return [];
}

const looking = (thought: string, actions: readonly Action[]): Reply<'explore'> => ({
  thought,
  findings: [],
  next: '',
  actions,
});

/** Searches for the words of the question, reads around the best match, and answers from the shown passages. */
export function exploreText(variables: Variables<'explore'>): Reply<'explore'> {
  const { question, steps, tools, known, criteria } = variables;
  const can = (action: Action) => tools.some(({ name }) => name === action.tool);
  const words = contentTerms(question).join(' ') || question;
  if (steps.length === 0) {
    const first = [
      { tool: 'retrieve', arguments: { query: question } },
      { tool: 'search_context', arguments: { words } },
    ].filter(can);
    if (first.length > 0) return looking('The words of the question are looked for.', first);
  }
  const around = steps.length === 1 ? lookAround(steps).filter(can) : [];
  if (around.length > 0) return looking('What stands around the best place is read.', around);
  const { answer, citations } = answerFromPassages({ question, known, criteria, passages: shownBy(steps) });
  const evidence = citations.map(({ passage, quote }) => ({ passage, quote: quote ?? '' }));
  return looking('What was shown is answered from.', [{ tool: 'final_answer', arguments: { answer, evidence } }]);
}

/** Answers what a text asks from the passages in it, or else from the text itself. */
export function answerQuery({ text }: Variables<'query'>): Reply<'query'> {
  const [question = '', ...rest] = text.split('\n');
  const body = rest.join('\n');
  const whole = {
    id: 'P1',
    source: 'text',
    startLine: 1,
    endLine: 1,
    startByte: 0,
    endByte: 0,
    text: body,
    score: 0,
    hash: '',
  };
  const found = passagesIn(text);
  const passages = found.length > 0 ? found : [whole];
  const { answer } = answerFromPassages({ question, known: [], criteria: [], passages });
  return { reply: found.length > 0 ? answer : answer.replace(/\s*\[P1\]/g, '') };
}
