import { describe, expect, test } from 'vitest';
import type { Field, Fields } from '../../../src/prompts/reply/fields.ts';
import { readReplyInForm } from '../../../src/prompts/reply/read-reply.ts';
import { describeReply, replyForm, replySchema } from '../../../src/prompts/reply/reply-form.ts';

const field = (kind: 'text' | 'actions' | 'citations', label: string, required = false): Field => ({
  kind,
  label,
  about: label.toLowerCase(),
  required,
});
const loop = { thought: field('text', 'THOUGHT'), actions: field('actions', 'ACTION', true) } as const;
const plain: Fields = { code: field('text', 'CODE', true) };
const prose = { answer: field('text', 'ANSWER', true), citations: field('citations', 'CITATIONS') } as const;
const tools = [{ name: 'grep', about: 'finds lines', schema: { type: 'object' } }];
const grep = { tool: 'grep', arguments: { pattern: 'x' } };

describe('the form of a reply', () => {
  test.each([
    [false, tools, { structuredOutput: true, tools: true }, 'tools'],
    [false, tools, { structuredOutput: true, tools: false }, 'json'],
    [false, [], { structuredOutput: true, tools: true }, 'json'],
    [false, tools, { structuredOutput: false, tools: false }, 'labelled'],
    [true, [], { structuredOutput: true, tools: true }, 'plain'],
  ])('follows from the request and the abilities of the model', (isPlain, offered, can, form) => {
    expect(replyForm(isPlain, offered, can)).toBe(form);
  });

  test('a schema binds the arguments to their tool', () => {
    const action = {
      type: 'object',
      properties: { tool: { type: 'string', enum: ['grep'] }, arguments: { type: 'object' } },
    };
    expect(replySchema(loop, { tools })).toMatchObject({ properties: { actions: { items: { anyOf: [action] } } } });
  });

  test('tools are described by the form of their arguments, without words that could be copied', () => {
    const example = {
      words: 'pool limit',
      context: 'text',
      path: 'src/a.ts',
      lines: 40,
      evidence: [{ passage: 'P12' }],
    };
    expect(describeReply(loop, 'json', [{ ...tools[0]!, example }])).toContain(
      '- grep {"words":"…","context":"text","path":"…","lines":<number>,"evidence":[{"passage":"…"}]}: finds lines',
    );
  });

  test('tools that are called are not described as text', () => {
    expect(describeReply(loop, 'tools')).toContain('THOUGHT');
    expect(describeReply(loop, 'tools')).not.toContain('ACTION');
    expect(describeReply(plain, 'plain')).toBe('');
  });
});

describe('reading a reply with actions', () => {
  const toolCalls = [{ id: '1', name: 'grep', arguments: { pattern: 'x' } }];

  test('native calls, with labelled text', () => {
    const said = { text: 'THOUGHT: look for x', toolCalls, finish: 'stop' } as const;
    expect(readReplyInForm(loop, 'tools', said)).toEqual({
      class: 'ok',
      reply: { thought: 'look for x', actions: [grep] },
    });
  });

  test('native calls, with words and thinking between', () => {
    const said = { text: '<think>hm</think>I look for x.', toolCalls, finish: 'stop' } as const;
    expect(readReplyInForm(loop, 'tools', said)).toMatchObject({
      reply: { thought: 'I look for x.', actions: [grep] },
    });
  });

  test.each([
    ['JSON', '{"thought": "t", "actions": [{"tool": "grep", "arguments": {"pattern": "x"}}]}'],
    ['JSON with other names', '{"thought": "t", "actions": [{"name": "grep", "parameters": {"pattern": "x"}}]}'],
    ['a function', '{"thought": "t", "actions": [{"function": {"name": "grep", "arguments": {"pattern": "x"}}}]}'],
  ])('calls written as %s', (_, text) => {
    expect(readReplyInForm(loop, 'tools', { text, finish: 'stop' })).toMatchObject({
      reply: { thought: 't', actions: [grep] },
    });
  });

  test.each([
    ['in a fence', '```json\n{"name": "grep", "arguments": {"pattern": "x"}}\n```', ''],
    ['in tags', 'I look.\n<tool_call>\n{"name": "grep", "arguments": {"pattern": "x"}}\n</tool_call>', 'I look.'],
    ['after labels', 'THOUGHT: I look.\n{"tool": "grep", "parameters": {"pattern": "x"}}', 'I look.'],
    [
      'after thinking of another',
      '<think>{"name": "ls", "arguments": {}}</think>{"name": "grep", "arguments": {"pattern": "x"}}',
      '',
    ],
  ])('calls written as JSON instead of native ones, %s', (_, text, thought) => {
    expect(readReplyInForm(loop, 'tools', { text, finish: 'stop' })).toEqual({
      class: 'ok',
      reply: { thought, actions: [grep] },
    });
  });

  test('JSON that is quoted from a text is not a call', () => {
    const optional = { ...loop, actions: field('actions', 'ACTION') };
    const text = 'The file says {"name": "pool", "size": 4}.';
    expect(readReplyInForm(optional, 'tools', { text, finish: 'stop' })).toMatchObject({
      reply: { thought: text, actions: [] },
    });
  });

  test('of words without a call, only a part with content is kept', () => {
    const optional = { ...loop, actions: field('actions', 'ACTION') };
    const read = readReplyInForm(optional, 'tools', { text: 'And on. '.repeat(1_000), finish: 'length' });
    expect(read).toMatchObject({ reply: { thought: 'And on. '.repeat(125).trim() } });
  });

  test('labelled, the arguments as the text that the tool reads', () => {
    const text = 'THOUGHT: t\nACTION 1: grep {"pattern": "x"}\nACTION 2: grep {"pattern": "y",\n "lines": 3}';
    const actions = [
      { tool: 'grep', arguments: '{"pattern": "x"}' },
      { tool: 'grep', arguments: '{"pattern": "y",\n "lines": 3}' },
    ];
    expect(readReplyInForm(loop, 'labelled', { text, finish: 'stop' })).toMatchObject({
      reply: { thought: 't', actions },
    });
  });

  test('no action at all is a failure', () => {
    expect(readReplyInForm(loop, 'tools', { text: 'I do not know.', finish: 'stop' })).toMatchObject({
      class: 'failed',
    });
  });
});

describe('reading a plain reply', () => {
  test('it is the text without thinking', () => {
    const text = '<think>hm</think>```js\nprint(1)\n```';
    expect(readReplyInForm(plain, 'plain', { text, finish: 'stop' })).toEqual({
      class: 'ok',
      reply: { code: '```js\nprint(1)\n```' },
    });
  });

  test.each([
    ['', 'stop'],
    ['<think>hm', 'stop'],
    ['print(1', 'length'],
  ] as const)('%j that ended with %s is a failure', (text, finish) => {
    expect(readReplyInForm(plain, 'plain', { text, finish }).class).toBe('failed');
  });
});

describe('reading an answer in prose', () => {
  const read = (text: string, finish: 'stop' | 'length' = 'stop') => readReplyInForm(prose, 'plain', { text, finish });

  test.each([
    ['The pool was lowered to 4 [P1].', 'The pool was lowered to 4 [P1].'],
    ['<think>hm</think>Four.', 'Four.'],
    ['Answer: four.', 'four.'],
    ['**Answer:** four.', 'four.'],
    ['FINAL ANSWER\nis what the page calls it.', 'FINAL ANSWER\nis what the page calls it.'],
    ['Note: the pool was lowered.', 'Note: the pool was lowered.'],
    ['{"limit": 4}', '{"limit": 4}'],
    ['{"answer": "Four."}', 'Four.'],
    ['{"reasoning": "it says so", "answer": "Four."}', 'Four.'],
    ['```json\n{"answer": "Four."}\n```', 'Four.'],
  ])('%j says %j', (text, answer) => {
    expect(read(text)).toMatchObject({ reply: { answer, citations: [] } });
  });

  test('citations of a reply that has a form are read', () => {
    const reply = { answer: 'Four.', citations: [{ passage: 'P1', quote: 'lowered to 4' }] };
    expect(read(JSON.stringify(reply))).toEqual({ class: 'ok', reply });
  });

  test('of a cut reply, whole sentences are kept', () => {
    expect(read('It was lowered to 4. Then it', 'length')).toMatchObject({
      class: 'failed',
      partial: { answer: 'It was lowered to 4.', citations: [] },
    });
    expect(read('It was lowered', 'length')).not.toHaveProperty('partial');
  });
});
