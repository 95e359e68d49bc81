import { describe, expect, it } from 'vitest';
import { answerIn, readAnswer } from '../../support/replies.ts';

const json = '{"answer": "42 [P1]", "citations": [], "assumptions": []}';

describe('a reply in any form', () => {
  it.each([
    ['a label', 'ANSWER: 42 [P1]'],
    ['a label in bold', '**ANSWER:** 42 [P1]'],
    ['a label in bold, the colon outside', '**Answer**: 42 [P1]'],
    ['a heading', '## Answer\n\n42 [P1]'],
    ['a heading with a colon', '### ANSWER:\n42 [P1]'],
    ['a bold heading', '**Answer**\n42 [P1]'],
    ['the label alone, in capitals', 'ANSWER\n42 [P1]'],
    ['a preamble', "Sure! Here's what I found.\n\nANSWER: 42 [P1]"],
    ['a numbered label', '1. **ANSWER:** 42 [P1]\n2. **ASSUMPTIONS:** none'],
    ['a listed label', '- ANSWER: 42 [P1]\n- ASSUMPTIONS: none'],
    ['a quoted label', '> ANSWER: 42 [P1]'],
    ['a fence', '```\nANSWER: 42 [P1]\n```'],
    ['a preamble and a fence', 'Of course:\n```text\nASSUMPTIONS: none\nANSWER: 42 [P1]\n```\n'],
    ['CRLF', 'ANSWER:\r\n42 [P1]\r\n\r\nASSUMPTIONS:\r\n- none\r\n'],
    ['terminal escapes', '\u001b[1mANSWER:\u001b[0m 42 [P1]'],
    ['a wide colon', 'ANSWER：42 [P1]'],
    ['another name', 'FINAL ANSWER: 42 [P1]'],
    ['the JSON key as a label', 'answer: 42 [P1]\nassumptions: none'],
    ['German', 'ANTWORT: 42 [P1]\nANNAHMEN: keine'],
    ['French', 'RÉPONSE : 42 [P1]'],
    ['Spanish, in lower case', 'Respuesta: 42 [P1]'],
    ['Russian', 'Ответ: 42 [P1]'],
    ['Chinese', '答案：42 [P1]\n假设：无'],
    ['JSON', json],
    ['JSON in a fence', `\`\`\`json\n${json}\n\`\`\``],
    ['JSON in a fence without its end', `\`\`\`json\n${json}`],
    ['JSON after a preamble', `Here is the JSON you asked for:\n\n${json}\n\nLet me know!`],
    ['JSON after a preamble with brackets', `As [P1] and {the log} say:\n${json}`],
    ['JSON announced by a label', `ANSWER:\n${json}`],
    ['a wrapper', `{"response": ${json}}`],
    ['a wrapper of another name', `{"result": ${json}, "done": true}`],
    ['JSON within a string', JSON.stringify(json)],
    ['JSON within a string within JSON', JSON.stringify({ response: json })],
    ['keys in snake_case', '{"final_answer": "42 [P1]"}'],
    ['keys in capitals', '{"ANSWER": "42 [P1]", "ASSUMPTIONS": null}'],
    ['a list with one reply', `[${json}]`],
    ['the reply twice', `${json}\n${json}`],
    ['the reply twice, unbroken', `${json}${json}`],
    ['labels twice', 'ANSWER: 42 [P1]\n\nANSWER: 42 [P1]'],
    ['an alias with another text before the own key', '{"response": "done", "answer": "42 [P1]"}'],
    ['trailing commas', '{"answer": "42 [P1]", "citations": [],}'],
    ['half-open JSON', '{"answer": "42 [P1]", "citations": ['],
    ['JSON without its first bracket', '"answer": "42 [P1]", "citations": []}'],
    ['single quotes', "{'answer': '42 [P1]'}"],
    ['thinking', `<think>Is it {41}? ANSWER: 41</think>\n${json}`],
    ['thinking twice', `<think>a</think><thinking>ANSWER: 41</thinking>ANSWER: 42 [P1]`],
    ['thinking of which only the end was sent', 'ANSWER: 41? no\n</think>\n\nANSWER: 42 [P1]'],
    ['thinking after the answer, not closed', 'ANSWER: 42 [P1]\n<think>was that'],
  ])('%s', (_, text) => {
    expect(answerIn(text)).toBe('42 [P1]');
  });

  it.each([
    ['sound JSON', json, 'ok'],
    ['labels', 'ANSWER: 42\nASSUMPTIONS: none', 'ok'],
    ['labels of which none follows the answer, which may have been cut', 'ANSWER: 42', 'repaired'],
    ['JSON that ends in the midst of the answer', '{"answer": "it was lowered to', 'failed'],
    ['JSON that ends after the answer', '{"answer": "42", "citations": [{"passage": "P1", "quote": "low', 'repaired'],
    ['broken JSON', '{"answer": "42"', 'repaired'],
    ['nothing', '', 'failed'],
    ['white space', ' \n\t ', 'failed'],
    ['prose', 'It is 42.', 'failed'],
    ['an empty answer', '{"answer": ""}', 'failed'],
    ['an empty label', 'ANSWER:\nASSUMPTIONS: none', 'failed'],
    ['null', '{"answer": null}', 'failed'],
    ['another object', '{"port": 80}', 'failed'],
    ['only thinking', '<think>ANSWER: 42</think>', 'failed'],
    ['only thinking, not closed', '<think>ANSWER: 42', 'failed'],
  ])('%s is classified', (_, text, expected) => {
    expect(readAnswer(text).class).toBe(expected);
  });

  it('keeps thinking tags inside a JSON answer', () => {
    expect(answerIn('{"answer": "It strips <think> and </think>."}')).toBe('It strips <think> and </think>.');
  });

  it('keeps an answer that quotes JSON', () => {
    expect(answerIn('ANSWER: The file has {"answer": 1} in line 3 [P1].\nASSUMPTIONS: none')).toBe(
      'The file has {"answer": 1} in line 3 [P1].',
    );
    expect(answerIn('{"answer": "{\\"port\\": 80}"}')).toBe('{"port": 80}');
  });

  it('keeps the markdown at the beginning of an answer', () => {
    expect(answerIn('ANSWER: **Yes**, it `is`.')).toBe('**Yes**, it `is`.');
    expect(answerIn('**ANSWER:** `npm ci` does.')).toBe('`npm ci` does.');
  });

  it('keeps a name with underscores', () => {
    expect(answerIn('{"answer": "__init__"}')).toBe('__init__');
  });

  it('uses the last of several answers', () => {
    expect(answerIn('ANSWER: maybe 41\n\nFINAL ANSWER: 42')).toBe('42');
    expect(answerIn('Draft: {"answer": "41"}\nFinal: {"answer": "42"}')).toBe('42');
  });

  it('reads an answer of several paragraphs up to the next label', () => {
    const text = 'ANSWER:\nFirst.\n\n- a list\n\nLast.\n\nASSUMPTIONS:\n- UTC\n';
    expect(readAnswer(text)).toEqual({
      class: 'ok',
      reply: {
        answer: 'First.\n\n- a list\n\nLast.',
        citations: [],
        assumptions: ['UTC'],
        tells: 'unsaid',
        missing: [],
        needsAll: 'no',
        query: '',
      },
    });
  });

  it.each([
    ['labels', 'ANSWER: it began at', 'failed'],
    ['half-open JSON', '{"answer": "it began at', 'failed'],
    ['sound JSON', json, 'ok'],
    ['JSON behind the answer', '{"answer": "At 02:14.", "citations": [{"passage": "P1", "quo', 'repaired'],
    ['JSON within a number', '{"answer": "At 02:1', 'failed'],
    ['labels behind the answer', 'ANSWER: At 02:14.\n\nCITATIONS:\n- [P1] "at 02', 'repaired'],
  ])('a reply cut at its length limit: %s', (_, text, expected) => {
    expect(readAnswer(text, true).class).toBe(expected);
  });

  it.each([
    ['labels', 'ANSWER: It began at 02:14. [P1] Then the pool', 'It began at 02:14. [P1]'],
    ['half-open JSON', '{"answer": "It began at 02:14 [P1]. It grew to 4.5 and th', 'It began at 02:14 [P1].'],
  ])('keeps the whole sentences of an answer that was cut: %s', (_, text, partial) => {
    expect(readAnswer(text, true)).toMatchObject({ class: 'failed', partial: { answer: partial, citations: [] } });
  });

  it('describes the error', () => {
    expect(readAnswer('{"citations": []}')).toMatchObject({ problem: '"answer" (ANSWER) is missing' });
    expect(readAnswer('{"answer": [], "citations": []}')).toMatchObject({
      problem: '"answer" (ANSWER) cannot be read',
    });
    expect(readAnswer('Hello!')).toMatchObject({ problem: 'it is neither JSON nor labelled text' });
  });
});
