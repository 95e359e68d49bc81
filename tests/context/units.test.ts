import { describe, expect, it } from 'vitest';
import { goesOn, isPreamble } from '../../src/context/units.ts';

describe('a unit', () => {
  it.each([
    ['a line that is cut', 'one ', 'two\n', 'a.md'],
    ['a line of a table that is cut', '1,2', ',3\n', 'a.csv'],
    ['a list', '- one\n', '- two\n', 'a.md'],
    ['a list with blank lines', '1. one\n\n', '2. two\n', 'a.txt'],
    ['an item with a second paragraph', '- one\n\n', '  more of it\n', 'a.md'],
    ['a table', '| a | b |\n|---|---|\n', '| 1 | 2 |\n', 'a.md'],
    ['a wrapped paragraph', 'The pump of the\n', 'old house.\n', 'a.md'],
    ['a heading and its text', 'Text.\n\n## Pumps\n\n', 'They move water.\n', 'a.md'],
    ['the lead-in of a list', 'The steps are:\n\n', '- stop\n', 'a.md'],
    ['a fenced block', 'Run:\n\n```sh\nls\n\n', 'cat x\n```\n', 'a.md'],
    ['the body of a function', 'function f() {\n  a();\n\n', '  b();\n}\n', 'a.js'],
    ['a function and its end', 'function f() {\n  a();\n', '}\n', 'a.js'],
    ['a comment and its function', '/** Adds. */\n', 'export function add() {\n', 'a.ts'],
    ['a comment', '/**\n * Adds\n', ' * two numbers.\n */\n', 'a.ts'],
    ['a value on the next line', 'export const f =\n', '(x) => x;\n', 'a.ts'],
    ['the body of a Python function', 'def f():\n    a()\n\n', '    b()\n', 'a.py'],
  ])('continues: %s', (_, before, after, name) => {
    expect(goesOn(before, after, name)).toBe(true);
  });

  it.each([
    ['paragraphs', 'The pump.\n\n', 'The gate.\n', 'a.md'],
    ['sections', 'The pump.\n', '# Gates\n', 'a.md'],
    ['sections after a line of code in backticks', '```pump```\nThe pump.\n', '# Gates\n', 'a.md'],
    ['lines of a log', '10:00:00 INFO up\n', '10:00:01 INFO down\n', 'a.log'],
    ['rows', '1,2\n', '3,4\n', 'a.csv'],
    ['functions', 'function f() {\n}\n\n', 'function g() {\n', 'a.js'],
    ['functions with comments', 'const a = 1;\n\n', '/** Adds. */\nfunction g() {\n', 'a.js'],
    ['methods', '  take() {\n  }\n\n', '  give() {\n', 'a.js'],
    ['a list and the text after it', '- one\n\n', 'The gate.\n', 'a.md'],
    ['statements that are lines of their own', 'The pump is old.\n', 'The gate is new.\n', 'a.txt'],
  ])('ends between %s', (_, before, after, name) => {
    expect(goesOn(before, after, name)).toBe(false);
  });
});

describe('the preamble of a file of code', () => {
  it.each([
    "import { a } from 'a';\nimport type {\n  B,\n  C,\n} from 'b';\n\n",
    "// Copyright 2026 Someone\n// Licensed under MIT.\n\n'use strict';\nconst fs = require('fs');\n",
    '#!/usr/bin/env python\nfrom os import (\n    path,\n)\nimport sys\n',
    "/*\n * Copyright 2026 Someone\n *\n * Licensed under MIT.\n */\nimport { a } from 'a';\n",
    '#include <stdio.h>\nusing namespace std;\n',
  ])('is imports and a licence: %j', (text) => {
    expect(isPreamble(text)).toBe(true);
  });

  it.each([
    "import { a } from 'a';\n\nconst b = 1;\n",
    "/** The one door to a model. */\nimport { a } from 'a';\n",
    "import { a } from 'a';\n// How often it is tried.\n",
  ])('is nothing else: %j', (text) => {
    expect(isPreamble(text)).toBe(false);
  });
});
