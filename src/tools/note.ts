import * as z from 'zod/mini';
import { optionalText, type Tool, textParameter } from './tool.ts';

const parameters = z.object({ text: textParameter('with ids in [brackets]'), quote: optionalText('copied exactly') });

export const note: Tool<z.infer<typeof parameters>> = {
  name: 'note',
  about: 'Keeps a finding word for word.',
  parameters,
  example: { text: 'The pool has 20 connections [P12].', quote: 'limited to 20 connections' },
  needs: 'run',
  run: async ({ text: said, quote = '' }, world) => world.note({ text: said, quote }),
};
