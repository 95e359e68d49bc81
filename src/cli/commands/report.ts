import type { CommandSpec } from '../command.ts';

export const reportCommand: CommandSpec = {
  name: 'report',
  about: 'Show a recorded run as a page: answer, evidence, questions, prompts, replies, time and cost.',
  args: [{ name: '[runs...]', about: 'its id or the beginning of one; default: the newest run', values: 'runs' }],
  options: [
    { flags: '--compare', about: 'set two runs side by side' },
    {
      flags: '--format <format>',
      about: 'html (a page that loads nothing) or markdown (for pull requests)',
      choices: ['html', 'markdown'],
    },
    {
      flags: '-o, --output <file>',
      about: 'write there; - is stdout; default: rlm-report-RUN.html for a page, stdout for Markdown',
    },
  ],
  note: [
    'The page is one file that opens in any browser. It holds the prompts and replies of the run, with text of your files:',
    'look through it before you pass it on. rlm ask --report FILE writes the same at the end of a run.',
  ].join('\n'),
  examples: [
    ['rlm report', 'write the page of the newest run and print its name'],
    ['rlm report 20261121T010842 -o why.html', 'of the run that begins so, to a file of your choice'],
    ['rlm report --compare 20261121T010842 20261121T011530', 'set two runs side by side'],
    ['rlm report --format markdown', 'print the newest run as Markdown'],
  ],
  run: async (invocation) => (await import('../actions/report.ts')).runReport(invocation),
};
