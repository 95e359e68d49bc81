import type { CommandSpec } from '../command.ts';
import { settingOptions } from '../setting-flags.ts';

export const runsCommand: CommandSpec = {
  name: 'runs',
  about: 'List, show, search, export and remove recorded runs.',
  args: [
    {
      name: '<action>',
      about: 'list, show RUN, search WORDS, export RUN, rm RUN..., or prune (removes old runs and evaluations)',
      choices: ['list', 'show', 'search', 'export', 'rm', 'prune'],
    },
    { name: '[names...]', about: 'ids of runs, or beginnings of ids; for search, words', values: 'runs' },
  ],
  options: [
    { flags: '--all', about: 'list: also the runs of evaluations and of checks' },
    { flags: '--last', about: 'show, export: the newest run outside evaluations and checks' },
    { flags: '--json', about: 'list, show, search: print JSON' },
    { flags: '-o, --output <file>', about: 'export: write to a file (an old one is replaced) instead of stdout' },
    {
      flags: '--older-than <age>',
      about: 'prune: remove runs and evaluations without activity for this time: 90m, 12h, 30d, 4w',
    },
    { flags: '--dry-run', about: 'prune: only list the runs and evaluations to remove' },
  ],
  takes: {
    list: ['json', 'all'],
    show: ['json', 'last'],
    search: ['json'],
    export: ['last', 'output'],
    rm: [],
    prune: ['olderThan', 'dryRun'],
  },
  note: `A run in progress is never removed. search finds the runs that contain all the words in their question, answer or
document names. export prints the record of a run, one JSON object per line.`,
  examples: [
    ['rlm runs list', 'list the runs, the newest first: id, start, status, calls, question'],
    ['rlm runs show --last', 'show the newest run: answer, sources, questions, calls, tokens, time'],
    ['rlm runs show 20261121T010842 --json', 'show a run as JSON, given the beginning of its id'],
    ['rlm runs search pool exhausted', 'find the runs that contain both words'],
    ['rlm runs export --last -o run.jsonl', 'save the record of a run'],
    ['rlm runs prune --older-than 30d --dry-run', 'list the runs that would be removed'],
  ],
  run: async (invocation) => (await import('../actions/runs.ts')).runRuns(invocation),
};

export const reportCommand: CommandSpec = {
  name: 'report',
  about: 'Write a report of a recorded run: answer, evidence, questions, prompts, replies, time and cost.',
  args: [
    { name: '[run]', about: 'the id of a run, or the beginning of its id; default: the newest run', values: 'runs' },
  ],
  options: [
    {
      flags: '--format <format>',
      about: 'html (a self-contained page) or markdown (for pull requests)',
      choices: ['html', 'markdown'],
    },
    {
      flags: '-o, --output <file>',
      about:
        'the file to write (an old one is replaced); - is stdout; default: rlm-report-RUN.html for HTML, stdout for Markdown',
    },
  ],
  note: `The HTML report is one file that opens in any browser. It contains the prompts and replies of the run, with text from
your files, so check it before you share it. rlm ask --report FILE writes the same report at the end of a run.`,
  examples: [
    ['rlm report', 'write the report of the newest run and print the file name'],
    ['rlm report 20261121T010842 -o why.html', 'write the report of a run to a file of your choice'],
    ['rlm report --format markdown', 'print the newest run as Markdown'],
  ],
  run: async (invocation) => (await import('../actions/runs.ts')).runReport(invocation),
};

/** Settings without a flag in `rlm eval`: its own options or the arms replace them, or they have no effect. */
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
    { name: '<questions>', about: 'a file of questions with their answers; or init, or make KIND' },
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
      about:
        'exit with 7 when a metric is lower than this: accuracy=80, auto.strict=60; also exact, f1, sources, answered',
      isRepeatable: true,
    },
    {
      flags: '--max-regression <points>',
      about: 'exit with 7 when an arm is more than this many points below --against',
      needs: '--against',
    },
    {
      flags: '--against <file>',
      about: 'an earlier result to compare with, written by --report FILE.json',
      needs: '--max-regression',
    },
    {
      flags: '--report <file>',
      about:
        'also write the report to a file (an old one is replaced): .html, .md (pull request), .xml (JUnit), .json, .txt',
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
      about: 'record the replies, for --replay; calls that the folder already has are not repeated',
      conflicts: ['replay'],
    },
    { flags: '--replay <folder>', about: 'answer from recordings, without a model or network', conflicts: ['resume'] },
    { flags: '--json', about: 'print one JSON object' },
    {
      flags: '--tokens <list>',
      about: 'make: lengths of the texts, in tokens of 4 characters: 8k,32k,128k; default: 8k',
      needs: 'make',
    },
    { flags: '--samples <n>', about: 'make: number of questions for each length; default: 20', needs: 'make' },
    { flags: '-o, --output <folder>', about: 'make: the folder to write; default: eval-KIND', needs: 'make' },
    { flags: '-q, --quiet', about: 'print only errors on stderr' },
    ...settingOptions((key) => !own.includes(key)),
  ],
  takes: { init: [], make: ['tokens', 'samples', 'output', 'seed', 'quiet', 'encoding', 'strict', 'allowUrls'] },
  note: `init prints an example of each kind of question. make writes tasks with known answers (niah, oolong, pairs,
multihop); a different --seed gives different tasks. Arms are compared in pairs on the same questions. A failed answer
counts as wrong and is listed separately. --timeout applies to each answer. See docs/evaluation.md for details.`,
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
  run: async (invocation) => (await import('../actions/eval.ts')).runEvalCommand(invocation),
};

const unused: readonly string[] = ['minConfidence'];

export const checksCommand: CommandSpec = {
  name: 'checks',
  about: 'Test documents with questions and expected answers.',
  args: [
    { name: '<file>', about: 'the checks, in YAML or JSON' },
    { name: '[paths...]', about: 'files, folders and globs to ask about, instead of the paths in the file' },
  ],
  options: [
    { flags: '--json', about: 'print JSON' },
    { flags: '--junit <file>', about: 'also write each check as a test case (JUnit XML); replaces an old file' },
    { flags: '--step-summary', about: 'also add the results to the summary of the GitHub step' },
    ...settingOptions((key) => !unused.includes(key)),
  ],
  note: `The file contains paths (relative to the current folder) and checks. A check has a question and any of: name,
minConfidence (0 to 100), begins (first words of the answer), contains and excludes (words of the answer), cites (a
cited source), and paths of its own. Numbers need no quotation marks. The exit status is 7 when an expectation is not met.
--max-calls, --max-tokens, --max-cost and --timeout limit all checks together. When such a limit is used up, the other
checks are not asked, and the exit status is 6. The limits of the configuration hold for each check.`,
  examples: [
    ['rlm checks checks.yaml', 'ask every question and show which expectations are met'],
    ['rlm checks checks.yaml docs/ --junit checks.xml', 'check another folder, with a report for a CI server'],
  ],
  run: async (invocation) => (await import('../actions/checks.ts')).runChecks(invocation),
};

export const cacheCommand: CommandSpec = {
  name: 'cache',
  about: 'Show the size of the cache of replies, vectors and compiled code, or clear it.',
  args: [
    { name: '<action>', about: 'stats (folder and size), clear (remove everything)', choices: ['stats', 'clear'] },
  ],
  options: [{ flags: '--json', about: 'print JSON' }],
  note: 'A run uses the cache with --cache, RLM_CACHE_ENABLED=1 or the setting cache.enabled; cache.maxBytes limits its size.',
  examples: [
    ['rlm cache stats', 'show its folder, entries, size and limit'],
    ['rlm cache clear', 'remove all kept replies and vectors, and the compiled code of all versions'],
  ],
  run: async (invocation) => (await import('../actions/cache.ts')).runCache(invocation),
};
