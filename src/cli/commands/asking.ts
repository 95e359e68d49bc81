import { settingsByKey } from '../../config/settings.ts';
import { runAsk, runResume } from '../actions/ask.ts';
import type { CommandSpec, OptionSpec } from '../command.ts';
import { outputOptions, reportNames } from '../output/output-options.ts';
import { contextPaths, settingOptions } from '../setting-flags.ts';

/**
 * Options that a follow-up cannot have. A follow-up uses the index of the earlier run. The other options do not apply
 * to a follow-up.
 */
const notFollowing: readonly string[] = ['index', 'dryRun', 'record', 'replay'];

const indexOption: OptionSpec = {
  flags: '--index <name>',
  about: 'ask about an index (rlm index add) instead of files',
  group: 'text',
  brief: 'ask about an index instead of files',
  values: 'indexes',
};

export const askCommand: CommandSpec = {
  name: 'ask',
  about: 'Answer a question about files, folders and piped text.',
  args: [{ name: '<question>', about: 'the question' }, contextPaths],
  options: [
    {
      flags: '-c, --continue',
      about: 'ask a follow-up on the newest run, with its text, its answer and a new budget',
      group: 'question',
      brief: 'ask a follow-up on the newest run',
      conflicts: notFollowing,
    },
    {
      flags: '--run <id>',
      about: 'ask a follow-up on this run, given by its id or the beginning of its id',
      group: 'question',
      values: 'runs',
      conflicts: notFollowing,
    },
    ...outputOptions,
    indexOption,
    { flags: '--no-stdin', about: 'do not read piped text', group: 'text' },
    {
      flags: '--dry-run',
      about: 'show the inputs, the approach and the worst case without calling a model',
      group: 'limits',
      brief: 'show the inputs and the worst case only',
      conflicts: ['replay', 'record', ...reportNames],
    },
    {
      flags: '--record <file>',
      about:
        'record the replies of this run in a file, for --replay; overwrites a recording but no other file, and only if a reply arrives',
      group: 'keeping',
      conflicts: ['replay'],
    },
    { flags: '--replay <file>', about: 'answer from a recording, without a model or network', group: 'keeping' },
    ...settingOptions(() => true),
  ],
  note: `Piped text is read when there are no paths, no --index and no --server. Otherwise, it is read only if a path is -.
To show the settings and the origin of each value: rlm config list`,
  examples: [
    ['rlm ask "What failed first, and why?" build.log', 'ask about a file'],
    ['rlm ask "Which settings are read where?" src/ \'docs/**/*.md\'', 'ask about a folder and a glob'],
    ['cat build.log | rlm ask "What failed first?"', 'ask about piped text'],
    ['rlm ask -c "And who decided that?"', 'ask a follow-up on the newest run'],
    ['git diff | rlm ask "Which of these changes break the API?" - docs/api.md', 'ask about piped text and a file'],
    ['rlm ask "Is the build safe to ship?" ci.log --json --min-confidence 60', 'gate a CI job on the exit status'],
    ['rlm ask "Where is the retry limit set?" --index docs', 'ask about an index without reading the files again'],
    ['rlm ask "Compare both designs" docs/ --strategy decompose', 'split the question into parts'],
    ['rlm ask "Compare both designs" docs/ --dry-run', 'show the worst case in calls, tokens and money'],
  ],
  run: runAsk,
};

/** Settings that a resumed run cannot change. */
const settled: readonly string[] = ['provider', 'journal'];

export const resumeCommand: CommandSpec = {
  name: 'resume',
  about: 'Continue an interrupted run. Completed model calls are not repeated.',
  args: [
    { name: '[run]', about: 'the id of a run, or the beginning of its id; default: the newest run', values: 'runs' },
  ],
  options: [
    { flags: '--last', about: 'the newest run' },
    {
      flags: '--force',
      about: 'continue although inputs or settings changed, and repeat the calls that depend on them',
    },
    ...outputOptions,
    ...settingOptions((key) => settingsByKey.get(key)!.mayChange && !settled.includes(key)),
  ],
  note: 'The run keeps its question, paths, piped text and flags. Flags given here win over the recorded flags.',
  examples: [
    ['rlm resume', 'continue the newest run after Ctrl-C, a crash or a lost server'],
    ['rlm resume 20261121T010842-3f9a2c --max-calls 100', 'continue a run that reached a limit'],
    ['rlm runs list', 'list the recorded runs'],
  ],
  run: runResume,
};

const kept = ['--no-stream', '-q, --quiet', '-v, --verbose'];

export const chatCommand: CommandSpec = {
  name: 'chat',
  about: 'Ask questions and follow-ups about files, folders or an index.',
  args: [{ name: '[paths...]', about: "files, folders and globs ('docs/**/*.md'), as for rlm ask" }],
  options: [
    { flags: '-c, --continue', about: 'begin with a follow-up on the newest run', conflicts: ['run', 'index'] },
    {
      flags: '--run <id>',
      about: 'begin with a follow-up on this run, given by its id or the beginning of its id',
      values: 'runs',
      conflicts: ['index'],
    },
    ...outputOptions.filter(({ flags }) => kept.includes(flags)),
    indexOption,
    ...settingOptions((key) => key !== 'journal'),
  ],
  note: `Each question is a separate run with its own budget, and a follow-up to the last question that got an answer. The
text is read once. The arrow keys recall earlier questions, including those of earlier chats. Ctrl-C stops an answer
and keeps what was found; Ctrl-D exits. /sources shows the sources of the last answer, /report [FILE] writes this
answer as an HTML page, /help lists the commands. A line that ends with \\ continues on the next line; pasted lines
are one question. Piped questions and commands are read one per line, and the exit status is the first that is not 0.`,
  examples: [
    ['rlm chat docs/ src/', 'ask about two folders'],
    ['rlm chat -c', 'continue from the newest run'],
    ['rlm chat logs/ < questions.txt', 'ask each line of a file, as a follow-up to the previous line'],
  ],
  run: async (invocation) => (await import('../actions/chat.ts')).runChat(invocation),
};

/** Settings without a flag in `rlm mcp`: there, `--tools` has another meaning, and the others have no effect. */
const unused: readonly string[] = ['tools.allow', 'journal', 'log.file', 'minConfidence', 'failOn'];

export const mcpCommand: CommandSpec = {
  name: 'mcp',
  about: 'Serve editors and coding agents over the Model Context Protocol.',
  args: [
    {
      name: '[paths...]',
      about: 'files, folders and globs that clients may load and ask about (default: none); or install <client>',
    },
  ],
  options: [
    {
      flags: '--tools <list>',
      about: 'also offer tools that read the files: grep, read_file, list_files, extract_symbols',
    },
    { flags: '--index <name>', about: 'index for questions that name no text (rlm index add)', values: 'indexes' },
    { flags: '--watch', about: 'with --index: update the index when its files change', needs: '--index' },
    { flags: '--http <port>', about: 'serve over HTTP on 127.0.0.1 instead of stdin and stdout; 0 takes a free port' },
    {
      flags: '--token-file <file>',
      about: 'with --http: file with the token that clients must send; default: a new token, which is printed',
      needs: '--http',
    },
    { flags: '--write', about: "with install: write the entry to the client's configuration", needs: 'install' },
    ...settingOptions((key) => !unused.includes(key)),
  ],
  takes: { install: ['write'] },
  note: `You choose the settings, limits and models. A client can lower a limit but not raise it, and reads nothing outside the
paths. rlm mcp install <client> prints the entry for the configuration of a client: claude-code, claude-desktop,
vscode, cursor, windsurf, codex, gemini, opencode, zed, lm-studio. See docs/mcp.md for details.`,
  examples: [
    ['rlm mcp .', 'serve the current folder over stdin and stdout'],
    ['rlm mcp docs/ src/ --tools grep,read_file', 'serve two folders, with tools that read their files'],
    ['rlm mcp --index docs --watch', 'answer from an index that stays up to date'],
    ['rlm mcp . --http 8808', 'serve over HTTP; prints the address and a token'],
    ['rlm mcp install vscode', 'print the entry for Visual Studio Code'],
    ['rlm mcp install claude-code --write', 'write the entry to .mcp.json in the current folder'],
  ],
  run: async (invocation) => (await import('../actions/mcp.ts')).runMcp(invocation),
};
