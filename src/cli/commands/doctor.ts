import type { CommandSpec } from '../command.ts';

export const doctorCommand: CommandSpec = {
  name: 'doctor',
  about: 'See what is installed, what answers, which models are there, and what to type to fix what is missing.',
  args: [],
  options: [{ flags: '--json', about: 'print JSON' }],
  examples: [
    ['rlm doctor', 'one screen on everything that a run needs'],
    ['RLM_MODEL=llama3.2:3b rlm doctor', 'the same for another model'],
  ],
  run: async (invocation) => (await import('../actions/models/doctor.ts')).runDoctor(invocation),
};
