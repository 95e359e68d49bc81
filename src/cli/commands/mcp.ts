import type { CommandSpec } from '../command.ts';
import { settingOptions } from '../setting-flags.ts';

/** These mean something else here, or nothing. */
const unused: readonly string[] = ['tools.allow', 'journal', 'log.file', 'minConfidence'];

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
      about:
        'offer tools that look into the files, too: grep, read_file, list_files, extract_symbols, parse_ast, calculate',
    },
    {
      flags: '--http <port>',
      about: 'serve over HTTP on 127.0.0.1 in place of stdin and stdout; 0 takes a free port',
    },
    {
      flags: '--token-file <file>',
      about: 'file with the token that clients send with --http; default: a new token, which is printed',
    },
    { flags: '--write', about: 'with install: write the entry into the configuration of the client' },
    ...settingOptions((key) => !unused.includes(key)),
  ],
  note: [
    'Settings, limits and models are yours: a client can lower a limit and never raise one, and reads nothing outside of the paths.',
    'rlm mcp install <client> prints the entry for its configuration: claude-code, claude-desktop, vscode, cursor, windsurf,',
    'codex, gemini. docs/mcp.md tells the rest.',
  ].join('\n'),
  examples: [
    ['rlm mcp .', 'serve the current folder over stdin and stdout'],
    ['rlm mcp docs/ src/ --tools grep,read_file', 'two folders, and tools that look into them'],
    ['rlm mcp . --http 8808', 'over HTTP; the address and a token are printed'],
    ['rlm mcp install vscode', 'print the entry for Visual Studio Code'],
    ['rlm mcp install claude-code --write', 'write it into .mcp.json of the current folder'],
  ],
  run: async (invocation) => (await import('../actions/mcp/mcp.ts')).runMcp(invocation),
};
