import * as z from 'zod/mini';
import { optionalText, text } from './parameters.ts';
import type { Tool } from './tool.ts';

const parameters = z.object({
  text: text('with ids in [brackets]'),
  passage: optionalText('id'),
  quote: optionalText('copied exactly from it'),
});

/** Keeps something that was found. */
export const note: Tool<z.infer<typeof parameters>> = {
  name: 'note',
  about: 'Keeps a finding word for word when older results are shortened.',
  parameters,
  example: { text: 'The pool has 20 connections [P12].', passage: 'P12', quote: 'limited to 20 connections' },
  needs: 'run',
  run: async ({ text: said, passage = '', quote = '' }, world) => world.note({ text: said, passage, quote }),
};
