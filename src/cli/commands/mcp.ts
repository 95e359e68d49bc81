import type { CommandSpec } from '../command.ts';
import { settingOptions } from '../setting-flags.ts';

/** Settings that have another meaning or no effect here. */
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
    {
      flags: '--http <port>',
      about: 'serve over HTTP on 127.0.0.1 instead of stdin and stdout; 0 takes a free port',
    },
    {
      flags: '--token-file <file>',
      about: 'with --http: file with the token that clients must send; default: a new token, which is printed',
    },
    { flags: '--write', about: "with install: write the entry to the client's configuration" },
    ...settingOptions((key) => !unused.includes(key)),
  ],
  note: [
    'You choose the settings, limits and models. A client can lower a limit but not raise it, and reads nothing outside the',
    'paths. rlm mcp install <client> prints the entry for the configuration of a client: claude-code, claude-desktop,',
    'vscode, cursor, windsurf, codex, gemini, opencode, zed, lm-studio. See docs/mcp.md for details.',
  ].join('\n'),
  examples: [
    ['rlm mcp .', 'serve the current folder over stdin and stdout'],
    ['rlm mcp docs/ src/ --tools grep,read_file', 'serve two folders, with tools that read their files'],
    ['rlm mcp . --http 8808', 'serve over HTTP; prints the address and a token'],
    ['rlm mcp install vscode', 'print the entry for Visual Studio Code'],
    ['rlm mcp install claude-code --write', 'write the entry to .mcp.json in the current folder'],
  ],
  run: async (invocation) => (await import('../actions/mcp/mcp.ts')).runMcp(invocation),
};
