import type { CommandSpec } from '../command.ts';
import { settingOptions } from '../setting-flags.ts';

/** Settings that apply to the whole evaluation here, that arms choose, or that have no effect. */
const own: readonly string[] = [
  'budget.maxCalls',
  'budget.maxTokens',
  'budget.maxCost',
  'strategy',
  'minConfidence',
  'failOn',
  'log.file',
  'journal',
];

export const evalCommand: CommandSpec = {
  name: 'eval',
  about: 'Measure the accuracy and the cost of different ways of answering on your own questions.',
  args: [
    { name: '<questions>', about: 'a file of questions with their answers; or init, make KIND, or tune FILE' },
    {
      name: '[paths...]',
      about:
        'the text of the questions, as for rlm ask (a question may have its own); for make, text to hide answers in',
    },
  ],
  options: [
    {
      flags: '--arms <list>',
      about:
        'ways of answering: plain (all text in one prompt), rag (best passages, one call), auto, direct, decompose, scan, explore, repl; default: plain,auto',
    },
    {
      flags: '--arm <description>',
      about: 'a further arm, given by its settings: "8b: model=llama3.1:8b strategy=direct"',
      isRepeatable: true,
    },
    { flags: '--baseline <arm>', about: 'the arm that the others are compared with; default: plain, or the first arm' },
    { flags: '--max-cost <usd>', about: 'money for the whole evaluation, in USD' },
    { flags: '--max-tokens <n>', about: 'tokens for the whole evaluation, input and output together' },
    { flags: '--max-calls <n>', about: 'model calls for the whole evaluation' },
    {
      flags: '--min <bar>',
      about: 'exit with 7 when a metric is lower: accuracy=80, auto.strict=60; also exact, f1, sources, answered',
      isRepeatable: true,
    },
    { flags: '--max-regression <points>', about: 'exit with 7 when an arm is more than this below --against' },
    { flags: '--against <file>', about: 'an earlier result to compare with, written by --report FILE.json' },
    {
      flags: '--report <file>',
      about: 'also write the report to a file: .html, .md (pull request), .xml (JUnit), .json, .txt',
      isRepeatable: true,
    },
    {
      flags: '--judge <model>',
      about: 'also let a model judge the answers, and show how well it agrees with the scorers',
    },
    {
      flags: '--fit',
      about:
        'fit the confidence of the last arm on half of the answers, and write the curve to your configuration (confidenceMap) if it is better on the other half',
    },
    { flags: '--resume', about: 'continue the newest evaluation with the same command line' },
    {
      flags: '--record <folder>',
      about: 'record the replies, for --replay; only what the folder lacks is asked',
      conflicts: ['replay'],
    },
    { flags: '--replay <folder>', about: 'answer from recordings, without a model or network', conflicts: ['resume'] },
    { flags: '--json', about: 'print one JSON object' },
    { flags: '--tokens <list>', about: 'make: lengths of the texts: 8k,32k,128k; default: 8k' },
    { flags: '--samples <n>', about: 'make: number of questions for each length; default: 20' },
    {
      flags: '--count-tokens',
      about: 'make: let the model count tokens, with two short calls; default: 4 characters per token',
    },
    { flags: '-o, --output <folder>', about: 'make: the folder to write; default: eval-KIND' },
    { flags: '--choices <list>', about: 'tune: try only these, such as direct,more-passages; default: all' },
    { flags: '-q, --quiet', about: 'print only errors on stderr' },
    ...settingOptions((key) => !own.includes(key)),
  ],
  note: [
    'init prints an example of each kind of question. make writes tasks with known answers (niah, vt, cwe, fwe, oolong,',
    'pairs, multihop); another --seed makes other tasks. tune tries a few settings on one half of the questions and shows',
    'the best on the other half. Arms are compared in pairs on the same questions. A failed answer counts as wrong and is',
    'listed separately. --timeout applies to each answer. See docs/evaluation.md for details.',
  ].join('\n'),
  examples: [
    ['rlm eval init > questions.jsonl', 'create a file of questions'],
    ['rlm eval questions.jsonl docs/', 'compare rlm with one plain call, in accuracy and cost'],
    [
      'rlm eval questions.jsonl docs/ --arms plain,rag,direct,decompose --max-cost 2',
      'compare four arms, for at most $2',
    ],
    [
      'rlm eval q.jsonl docs/ --arms auto --arm "8b: model=llama3.1:8b" --report eval.html',
      'compare two models, with an HTML report',
    ],
    [
      'rlm eval q.jsonl docs/ --replay replies/ --min auto.accuracy=80 --report eval.xml',
      'gate a CI job, without a model',
    ],
  ],
  run: async (invocation) => (await import('../actions/eval/eval.ts')).runEvalCommand(invocation),
};
