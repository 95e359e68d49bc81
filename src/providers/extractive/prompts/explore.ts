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

const looking = (thought: string, actions: readonly Action[]): Reply<'explore'> => ({
  thought,
  findings: [],
  next: '',
  actions,
});

/** Searches for the words of the question, and answers from the shown passages. */
export function exploreText(variables: Variables<'explore'>): Reply<'explore'> {
  const { question, steps, tools, known, criteria, begun } = variables;
  if (steps.length === 0 && tools.some(({ name }) => name === 'grep'))
    return looking('The words of the question are looked for.', [{ tool: 'grep', arguments: { words: question } }]);
  const passages = [...(begun?.shown ?? []), ...shownBy(steps)];
  const { answer, citations } = answerFromPassages({ question, known, criteria, passages });
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
