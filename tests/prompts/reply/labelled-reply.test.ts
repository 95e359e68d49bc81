import { describe, expect, it } from 'vitest';
import { prompts } from '../../../src/prompts/index.ts';
import type { Fields } from '../../../src/prompts/reply/fields.ts';
import { readLabelled } from '../../../src/prompts/reply/labelled-reply.ts';
import { readReply } from '../../support/replies.ts';

const base = { about: '', required: false } as const;

describe('labelled text', () => {
  it('gives a label that two fields share to the field with this name', () => {
    const fields = {
      reason: { kind: 'text', label: 'REASON', ...base },
      reasoning: { kind: 'text', label: 'REASONING', ...base },
    } as const satisfies Fields;
    expect(readLabelled(fields, 'REASONING: b\nREASON: a')).toEqual({ reason: ' a', reasoning: ' b\n' });
    expect(readLabelled(fields, 'REASON: a\nREASONING: b')).toEqual({ reason: ' a\n', reasoning: ' b' });
  });

  it('gives an alias that two fields share to the first of them', () => {
    const fields = {
      answer: { kind: 'text', label: 'ANSWER', ...base },
      finalAnswer: { kind: 'text', label: 'FINAL ANSWER', ...base },
    } as const satisfies Fields;
    expect(readLabelled(fields, 'FINAL ANSWER: b\nANSWER: a\n')).toEqual({ answer: ' a\n', finalAnswer: ' b\n' });
    expect(readLabelled(fields, 'Response: c')).toEqual({ answer: ' c' });
  });

  it('prefers the label of a score and a choice to an alias', () => {
    expect(readReply('critic', 'CONFIDENCE_SCORE: 85\nCONFIDENCE: high')).toMatchObject({
      reply: { confidenceScore: 85 },
    });
    expect(readReply('assess', 'ASSESSMENT: COMPLEX\nCOMPLEXITY: 8 of 10')).toMatchObject({
      reply: { verdict: 'COMPLEX' },
    });
  });

  it('does not mistake a word in a sentence for a label', () => {
    const text = 'ANSWER: the answer: 42\nSources say so.\nReason enough.';
    expect(readReply('answer', text)).toMatchObject({
      reply: { answer: 'the answer: 42\nSources say so.\nReason enough.' },
    });
  });

  it('is null when there is no label', () => {
    expect(readLabelled(prompts.critic.fields, 'Well done. 85 of 100.')).toBeNull();
  });

  it('reads a plan', () => {
    const text = [
      'Certainly!',
      '## TASK DECOMPOSITION',
      '1. read the log',
      '2) find the failure',
      '',
      '**KEY QUESTIONS**',
      '1. When did it fail?',
      '2. What ran then? (needs 1)',
      '   and where?',
      '## Required Information:',
      '* times',
      '## SUCCESS CRITERIA',
      'None.',
      '**APPROACH:** decompose, since the parts build on each other',
    ].join('\n');
    expect(readReply('planner', text)).toEqual({
      class: 'ok',
      reply: {
        taskDecomposition: ['read the log', 'find the failure'],
        keyQuestions: [
          { question: 'When did it fail?', needs: [] },
          { question: 'What ran then? and where?', needs: [1] },
        ],
        requiredInformation: ['times'],
        successCriteria: [],
        approach: 'decompose',
      },
    });
  });

  it.each([
    ['an empty list', '{"subQuestions": []}', 'ok'],
    ['a list of which nothing can be read', '{"subQuestions": [{}, ""]}', 'failed'],
    ['an empty label', 'SUB-QUESTION 1:', 'failed'],
    ['none', 'SUB-QUESTION 1: none', 'failed'],
  ])('no sub-questions: %s', (_, text, expected) => {
    expect(readReply('decompose', text).class).toBe(expected);
  });

  it.each([
    ['numbered labels', 'SUB-QUESTION 1: What failed?\nSUB-QUESTION 2 (needs 1): Why?'],
    ['labels in bold', '**Sub-question 1:** What failed?\n\n**Sub-question 2 (needs 1):** Why?'],
    ['labels without a hyphen', 'Subquestion 1: What failed?\nSub question 2 (Needs 1): Why?'],
    ['headings', '### Question 1\nWhat failed?\n### Question 2 (needs 1)\nWhy?'],
    ['one label and a list', 'SUB-QUESTIONS:\n1. What failed?\n2. Why? (needs 1)'],
    ['a bare list', 'I would ask:\n\n- What failed?\n- Why? (depends on 1)\n'],
    ['German', 'TEILFRAGE 1: What failed?\nTEILFRAGE 2 (braucht 1): Why?'],
    ['JSON', '{"subQuestions": [{"question": "What failed?", "needs": []}, {"question": "Why?", "needs": [1]}]}'],
    ['snake_case', '{"sub_questions": [{"sub_question": "What failed?"}, {"question": "Why?", "depends_on": "1"}]}'],
    ['a bare JSON list', '[{"question": "What failed?"}, {"question": "Why?", "needs": ["1"]}]'],
    [
      'a bare JSON list after words',
      'As [P1] says: [{"question": "What failed?"}, {"question": "Why?", "needs": [1]}]',
    ],
    ['JSON lines', '{"question": "What failed?", "needs": []}\n{"question": "Why?", "needs": [1]}'],
  ])('reads sub-questions: %s', (_, text) => {
    expect(readReply('decompose', text)).toMatchObject({
      reply: {
        subQuestions: [
          { question: 'What failed?', needs: [] },
          { question: 'Why?', needs: [1] },
        ],
      },
    });
  });
});
