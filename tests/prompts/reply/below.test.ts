import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noQueries } from '../../../src/prompts/answer.ts';
import { belowFields, type PromptInput, prompts } from '../../../src/prompts/index.ts';
import { splitBelow } from '../../../src/prompts/reply/labelled-reply.ts';
import { proseSoFar, readReplyInForm } from '../../../src/prompts/reply/read-reply.ts';

const input = {
  prompt: 'answer',
  variables: { question: '', passages: [], known: [], criteria: [], ...noQueries },
} as PromptInput;
const below = belowFields(input);
const prose = 'By release 4.2 [P1].\n\nIt tells: all of it, and nothing is missing here.';
const labels = 'TELLS: part\nMISSING:\n- Who asked for it?\n- When was it?\nNEEDS ALL: yes';

const read = (text: string, finish: 'stop' | 'length' = 'stop') =>
  readReplyInForm(prompts.answer.fields, 'plain', { text, finish });

describe('the fields below an answer in prose', () => {
  it('are those that the prompt names', () => {
    expect(Object.keys(below)).toEqual(['tells', 'missing', 'needsAll']);
  });

  it.each([
    ['as asked', labels],
    ['in bold', labels.replace(/^([A-Z ]+):/gm, '**$1:**')],
    ['as headings', labels.replace(/^([A-Z ]+): ?/gm, '## $1\n')],
    ['in another order', 'NEEDS ALL: yes\nMISSING:\n- Who asked for it?\n- When was it?\nTELLS: part'],
    ['after an empty line each', labels.replace(/\n(?=[A-Z])/g, '\n\n')],
  ])('are read %s, and are not part of the answer', (_, written) => {
    expect(read(`${prose}\n\n${written}`)).toMatchObject({
      class: 'ok',
      reply: { answer: prose, tells: 'part', missing: ['Who asked for it?', 'When was it?'], needsAll: 'yes' },
    });
  });

  it('may be missing, or empty', () => {
    const unsaid = { answer: prose, tells: 'unsaid', missing: [], needsAll: 'no' };
    expect(read(prose)).toMatchObject({ class: 'ok', reply: unsaid });
    const empty = `${prose}\n\nTELLS: who knows\nMISSING: none\nNEEDS ALL: no`;
    expect(read(empty)).toMatchObject({ class: 'ok', reply: unsaid });
  });

  it('may be cut off: the answer above them is complete', () => {
    expect(read(`${prose}\n\nTELLS: part\nMISS`, 'length')).toMatchObject({
      class: 'ok',
      reply: { answer: prose, tells: 'part' },
    });
    expect(read(prose, 'length').class).toBe('failed');
  });

  it.each([
    ['after a blank line', `TELLS: all\nMISSING: none\nNEEDS ALL: no\n\n${prose}`],
    ['with a label', `**TELLS:** all\n**MISSING:** none\n**NEEDS ALL:** no\n\n**Answer:**\n${prose}`],
  ])('may precede the answer, %s', (_, written) => {
    expect(read(written)).toMatchObject({
      class: 'ok',
      reply: { answer: prose, tells: 'all', missing: [], needsAll: 'no' },
    });
  });

  it('may be the whole reply', () => {
    for (const written of ['NEEDS ALL: yes', labels, `NEEDS ALL: yes\nMISSING:\n\n- Who?`])
      expect(read(written)).toMatchObject({ class: 'ok', reply: { answer: '', needsAll: 'yes' } });
  });

  it('do not begin with similar words of the answer', () => {
    for (const line of ['Tells: all', 'missing: a bolt', 'It TELLS: all', 'TELLS me nothing', 'The MISSING: link'])
      expect(splitBelow(below, `One.\n${line}\nTwo.`)).toEqual({ above: `One.\n${line}\nTwo.`, below: '' });
  });
});

describe('an arriving answer', () => {
  const whole = `${prose}\n\n${labels}`;

  it('never shows a label, and only grows', () => {
    let shown = '';
    for (let end = 0; end <= whole.length; end++) {
      const now = proseSoFar(whole.slice(0, end), below);
      expect(now).not.toMatch(/TELLS|MISSING|NEEDS|Who asked/);
      expect(prose.startsWith(now.trimEnd())).toBe(true);
      expect(now.trimEnd().startsWith(shown.trimEnd())).toBe(true);
      shown = now;
    }
    expect(shown).toBe(prose);
  });

  it('never shows a label, wherever the pieces end and however the label is marked up', () => {
    const dress = fc.constantFrom('', '**', '## ', '- ', '*');
    const sentence = fc.constantFrom('The POOL was limited.', 'NO IDEA', 'By A B C.', 'So\nit is.', 'TELL me');
    fc.assert(
      fc.property(fc.array(sentence, { minLength: 1, maxLength: 4 }), dress, fc.nat(200), (lines, mark, cut) => {
        const above = `It is so.\n${lines.join('\n')}`;
        const text = `${above}\n\n${mark}TELLS: part\n${mark}MISSING:\n- Who?`;
        expect(proseSoFar(text.slice(0, cut), below)).not.toMatch(/TELLS|MISSI|Who\?/);
      }),
    );
  });

  it('is shown completely if no field is requested below', () => {
    expect(proseSoFar('So.\nTELLS', {})).toBe('So.\nTELLS');
  });
});
