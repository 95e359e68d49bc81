import { describe, expect, it } from 'vitest';
import { coerce } from '../../../../src/prompts/reply/coerce.ts';
import type { Field } from '../../../../src/prompts/reply/fields.ts';

const field = (kind: 'facts' | 'actions'): Field => ({ kind, label: 'X', about: 'x', required: false });

const fact = {
  description: 'The pool was lowered',
  evidence: 'from 40 to 4',
  source: 'notes.md',
  startLine: 12,
  endLine: 14,
  confidence: 90,
};

const { startLine: _start, endLine: _end, ...placeless } = fact;

describe('facts', () => {
  it.each([
    ['as asked', [fact]],
    ['lines as text', [{ ...fact, startLine: '12', endLine: '14' }]],
    ['lines in one', [{ ...placeless, lines: '12-14' }]],
    ['the lines with the source', [{ ...placeless, source: 'notes.md:12-14' }]],
    [
      'other names',
      [
        {
          finding: fact.description,
          quote: fact.evidence,
          file: 'notes.md',
          start_line: 12,
          end_line: 14,
          confidence: 0.9,
        },
      ],
    ],
    ['a labelled line', '- [notes.md:12-14] "from 40 to 4" | 90 | The pool was lowered'],
    ['a labelled line with lines in words', '[notes.md lines 12-14] “from 40 to 4” | 90% | The pool was lowered'],
  ])('are read from %s', (_, value) => {
    expect(coerce(field('facts'), value)).toEqual([fact]);
  });

  it.each([
    ['nothing', 'none', []],
    ['null', null, []],
    ['an empty thing', [{ description: ' ', evidence: '' }], []],
    ['a number', 5, undefined],
  ])('of %s are %j', (_, value, expected) => {
    expect(coerce(field('facts'), value)).toEqual(expected);
  });

  it('have a medium confidence and no place if none is stated', () => {
    expect(coerce(field('facts'), ['It says "from 40 to 4"'])).toEqual([
      { ...fact, description: 'It says "from 40 to 4"', source: '', startLine: 0, endLine: 0, confidence: 50 },
    ]);
  });
});

describe('actions', () => {
  const search = { tool: 'search_context', arguments: { words: 'pool' } };

  it.each([
    ['as asked', [search]],
    ['one that is no list', search],
    ['the arguments beside the name', [{ tool: 'search_context', words: 'pool' }]],
    ['the name as the key', [{ search_context: { words: 'pool' } }]],
    ['a function', [{ type: 'function', function: { name: 'search_context', arguments: { words: 'pool' } } }]],
    ['another word for arguments', [{ action: 'search_context', action_input: undefined, input: { words: 'pool' } }]],
  ])('are read from %s', (_, value) => {
    expect(coerce(field('actions'), value)).toEqual([search]);
  });

  it('without arguments have none', () => {
    expect(coerce(field('actions'), [{ tool: 'list_contexts' }, { tool: 'list_contexts', arguments: null }])).toEqual([
      { tool: 'list_contexts', arguments: {} },
      { tool: 'list_contexts', arguments: {} },
    ]);
  });
});
