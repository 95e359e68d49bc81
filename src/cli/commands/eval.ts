import type { CommandSpec } from '../command.ts';
import { settingOptions } from '../setting-flags.ts';

/** These hold for the whole evaluation here, are chosen by arms, or mean nothing. */
const own: readonly string[] = [
  'budget.maxCalls',
  'budget.maxTokens',
  'budget.maxCost',
  'strategy',
  'minConfidence',
  'log.file',
  'journal',
];

export const evalCommand: CommandSpec = {
  name: 'eval',
  about: 'Measure on your own questions which way of answering is right how often, and at what cost.',
  args: [
    { name: '<questions>', about: 'a file of questions with their answers; or init, make KIND, or tune FILE' },
    {
      name: '[paths...]',
      about:
        'the text that they are about, as for rlm ask (questions may name their own); for make, text to hide answers in',
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
      about: 'one more, by its settings: "8b: model=llama3.1:8b strategy=direct"',
      isRepeatable: true,
    },
    { flags: '--baseline <arm>', about: 'what the others are compared with; default: plain, or the first arm' },
    { flags: '--max-cost <usd>', about: 'money for the whole evaluation, in USD' },
    { flags: '--max-tokens <n>', about: 'tokens for the whole evaluation, input and output together' },
    { flags: '--max-calls <n>', about: 'model calls for the whole evaluation' },
    {
      flags: '--min <bar>',
      about: 'exit with 7 below that: accuracy=80, auto.strict=60; also exact, f1, sources, answered',
      isRepeatable: true,
    },
    { flags: '--max-regression <points>', about: 'exit with 7 where an arm is so far below --against' },
    { flags: '--against <file>', about: 'an earlier result, written by --report FILE.json' },
    {
      flags: '--report <file>',
      about: 'write the report to a file, too: .html, .md (pull request), .xml (JUnit), .json, .txt',
      isRepeatable: true,
    },
    { flags: '--judge <model>', about: 'have a model judge answers, too, and tell how far it agrees with the scorers' },
    {
      flags: '--fit',
      about:
        'fit the confidence of the last arm to these questions: on half of the answers, tried on the rest, and written into your configuration (confidenceMap) where it is better there',
    },
    { flags: '--resume', about: 'go on with the newest evaluation of the same command line' },
    { flags: '--record <folder>', about: 'keep the replies, for --replay', conflicts: ['replay', 'resume'] },
    { flags: '--replay <folder>', about: 'answer from recordings: no model and no network', conflicts: ['resume'] },
    { flags: '--json', about: 'print one JSON object' },
    { flags: '--tokens <list>', about: 'make: lengths of the texts: 8k,32k,128k; default: 8k' },
    { flags: '--samples <n>', about: 'make: questions of each length; default: 20' },
    {
      flags: '--count-tokens',
      about: 'make: have the model count its tokens, in two short calls; default: 4 characters each',
    },
    { flags: '-o, --output <folder>', about: 'make: the folder to write; default: eval-KIND' },
    { flags: '--choices <list>', about: 'tune: only these, such as direct,more-passages,rerank; default: all' },
    { flags: '-q, --quiet', about: 'nothing on stderr but errors' },
    ...settingOptions((key) => !own.includes(key)),
  ],
  note: [
    'init prints an example of each kind of question. make writes tasks with known answers (niah, vt, cwe, fwe, oolong,',
    'pairs, multihop), others for another --seed. tune tries a few settings on one half of the questions and shows the best on the other. Arms are compared on the same questions, in',
    'pairs; an answer that failed counts as wrong and is told apart. --timeout holds for one answer. docs/evaluation.md tells the rest.',
  ].join('\n'),
  examples: [
    ['rlm eval init > questions.jsonl', 'begin a file of questions'],
    ['rlm eval questions.jsonl docs/', 'is rlm better here than one plain call, and what does it cost?'],
    ['rlm eval questions.jsonl docs/ --arms plain,rag,direct,decompose --max-cost 2', 'four ways, for at most $2'],
    ['rlm eval q.jsonl docs/ --arms auto --arm "8b: model=llama3.1:8b" --report eval.html', 'two models, as a page'],
    [
      'rlm eval q.jsonl docs/ --replay replies/ --min auto.accuracy=80 --report eval.xml',
      'a gate for CI, without a model',
    ],
  ],
  run: async (invocation) => (await import('../actions/eval/eval.ts')).runEvalCommand(invocation),
};
