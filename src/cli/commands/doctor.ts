import type { CommandSpec } from '../command.ts';

export const doctorCommand: CommandSpec = {
  name: 'doctor',
  about: 'Check the installation, the servers and the models, and show how to fix problems.',
  args: [],
  options: [{ flags: '--json', about: 'print JSON' }],
  examples: [
    ['rlm doctor', 'check everything that a run needs'],
    ['RLM_MODEL=llama3.2:3b rlm doctor', 'check another model'],
  ],
  run: async (invocation) => (await import('../actions/models/doctor.ts')).runDoctor(invocation),
};
