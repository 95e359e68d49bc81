import type { CommandSpec } from '../command.ts';

export const reportCommand: CommandSpec = {
  name: 'report',
  about: 'Write a report of a recorded run: answer, evidence, questions, prompts, replies, time and cost.',
  args: [
    {
      name: '[runs...]',
      about: 'the id of a run, or the beginning of its id; default: the newest run',
      values: 'runs',
    },
  ],
  options: [
    { flags: '--compare', about: 'compare two runs' },
    {
      flags: '--format <format>',
      about: 'html (a self-contained page) or markdown (for pull requests)',
      choices: ['html', 'markdown'],
    },
    {
      flags: '-o, --output <file>',
      about: 'the file to write; - is stdout; default: rlm-report-RUN.html for HTML, stdout for Markdown',
    },
  ],
  note: [
    'The HTML report is one file that opens in any browser. It contains the prompts and replies of the run, with text from',
    'your files, so check it before you share it. rlm ask --report FILE writes the same report at the end of a run.',
  ].join('\n'),
  examples: [
    ['rlm report', 'write the report of the newest run and print the file name'],
    ['rlm report 20261121T010842 -o why.html', 'write the report of a run to a file of your choice'],
    ['rlm report --compare 20261121T010842 20261121T011530', 'compare two runs'],
    ['rlm report --format markdown', 'print the newest run as Markdown'],
  ],
  run: async (invocation) => (await import('../actions/report.ts')).runReport(invocation),
};
