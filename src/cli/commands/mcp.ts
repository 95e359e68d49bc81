import type { CommandSpec } from '../command.ts';
import { settingOptions } from '../setting-flags.ts';

/** These mean something else here, or nothing. */
const unused: readonly string[] = ['tools.allow', 'journal', 'log.file', 'minConfidence'];

export const mcpCommand: CommandSpec = {
  name: 'mcp',
  about: 'Serve editors and coding agents over the Model Context Protocol.',
  args: [{ name: '[paths...]', about: 'files, folders and globs that clients may load and ask about; default: none' }],
  options: [
    {
      flags: '--tools <list>',
      about:
        'also offer tools that look into files: grep, read_file, list_files, extract_symbols, parse_ast, calculate',
    },
    { flags: '--http <port>', about: 'serve over HTTP on 127.0.0.1 in place of stdin and stdout; 0: any free port' },
    {
      flags: '--token-file <file>',
      about: 'file that holds the token for --http; default: a new one, which is printed',
    },
    ...settingOptions((key) => !unused.includes(key)),
  ],
  note: [
    'Settings, limits and models are yours: a client can lower a limit and never raise one, and reads nothing outside of the paths.',
    'docs/mcp.md shows the entry for each client; rlm mcp install prints it.',
  ].join('\n'),
  examples: [
    ['rlm mcp .', 'serve the current folder over stdin and stdout'],
    ['rlm mcp docs/ src/ --tools grep,read_file', 'two folders, and tools that look into them'],
    ['rlm mcp . --http 8808', 'over HTTP; the address and a token are printed'],
  ],
  run: async (invocation) => (await import('../actions/mcp.ts')).runMcp(invocation),
};
