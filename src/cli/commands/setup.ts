import type { CommandSpec } from '../command.ts';
import { settingOptions } from '../setting-flags.ts';

const serverSettings: readonly string[] = ['provider', 'ollama.host'];

export const modelsCommand: CommandSpec = {
  name: 'models',
  about: 'List the available models, show the details of a model, or download a model.',
  args: [
    {
      name: '<action>',
      about:
        'list, show [NAME] or pull MODEL. NAME: default is the configured model. MODEL: a name, hf:OWNER/REPO/FILE.gguf or a URL',
      choices: ['list', 'show', 'pull'],
    },
    { name: '[name]', about: 'a model, such as llama3.2:3b', values: 'models' },
  ],
  options: [
    { flags: '--json', about: 'list, show: print JSON; pull: one JSON object for each step' },
    { flags: '--sha256 <sum>', about: 'pull of a file: the expected SHA-256' },
    ...settingOptions((key) => serverSettings.includes(key)),
  ],
  note: `pull NAME makes Ollama download a model. Ctrl-C stops the download, and the same command continues it.
For other providers, list and show print what their servers report. pull hf:OWNER/REPO/FILE.gguf, or the https URL
of a .gguf file, downloads the file for the provider llama-cpp. It continues a partial download, and compares the
SHA-256 of the file with --sha256 or with the sum that the server reports. Use the file with --model FILE.gguf.
HF_ENDPOINT may name a mirror.`,
  examples: [
    ['rlm models list', 'list every model: size, window, capabilities; * marks the configured model'],
    ['rlm models show llama3.2:3b', 'show its window and weights, and how rlm would use it'],
    ['rlm models pull llama3.2:3b', 'download a model'],
    [
      'rlm models pull hf:Qwen/Qwen2.5-1.5B-Instruct-GGUF/qwen2.5-1.5b-instruct-q4_k_m.gguf',
      'download a model file (1.1 GB) for a machine without Ollama',
    ],
  ],
  run: async (invocation) => (await import('../actions/models.ts')).runModels(invocation),
};

export const doctorCommand: CommandSpec = {
  name: 'doctor',
  about: 'Check the installation, the servers and the models, and show how to fix problems.',
  args: [],
  options: [{ flags: '--json', about: 'print JSON' }],
  examples: [
    ['rlm doctor', 'check everything that a run needs'],
    ['RLM_MODEL=llama3.2:3b rlm doctor', 'check another model'],
  ],
  run: async (invocation) => (await import('../actions/models.ts')).runDoctor(invocation),
};

export const configCommand: CommandSpec = {
  name: 'config',
  about: 'Show the current configuration and the origin of each value.',
  args: [
    {
      name: '<action>',
      about: 'list (every setting), get (one setting), path (the files that are read), presets (models of each preset)',
      choices: ['list', 'get', 'path', 'presets'],
    },
    { name: '[key]', about: 'the setting to get, such as budget.maxCalls', values: 'settings' },
  ],
  options: [{ flags: '--json', about: 'print JSON' }],
  examples: [
    ['rlm config list', 'show every setting, its value and its origin'],
    ['rlm config get model', 'print one value, for scripts'],
    ['rlm config presets', 'show which models each preset uses on this machine, and why'],
    ['rlm config path', 'show the files, and whether they exist'],
  ],
  run: async (invocation) => (await import('../actions/config.ts')).runConfig(invocation),
};

export const rolesCommand: CommandSpec = {
  name: 'roles',
  about: 'List the roles for rlm ask --role.',
  args: [],
  options: [{ flags: '--json', about: 'print JSON, with the text of each role' }],
  note: `A role is a Markdown file with front matter (name, about, and optionally tools, strategy, sections) and, below it, the
text that is added to the prompts. Put your own roles in roles/ beside your configuration file (rlm config path), or
give the path of a file: --role ./reviewer.md`,
  examples: [
    ['rlm roles', 'list each role with its purpose, its strategy and the sections of its answers'],
    ['rlm ask "Why does the upload fail?" src/ app.log --role debugger --fail-count 3', 'ask with a role'],
  ],
  run: async (invocation) => (await import('../actions/config.ts')).runRoles(invocation),
};

export const completionCommand: CommandSpec = {
  name: 'completion',
  about: 'Print a script for your shell that completes commands, options and names.',
  args: [
    { name: '<shell>', about: 'bash, zsh, fish or powershell', choices: ['bash', 'zsh', 'fish', 'powershell'] },
    {
      name: '[words...]',
      about: 'for the scripts: rlm completion candidates -- WORDS prints completions of the last word',
    },
  ],
  options: [],
  note: 'Names of models, runs, indexes, roles and settings are looked up when TAB is pressed. Typed text is never evaluated.',
  examples: [
    ['source <(rlm completion bash)', 'in ~/.bashrc'],
    ['source <(rlm completion zsh)', 'in ~/.zshrc, after compinit'],
    ['rlm completion fish > ~/.config/fish/completions/rlm.fish', 'for fish, run once'],
    ['rlm completion powershell | Out-String | Invoke-Expression', 'in the PowerShell profile ($PROFILE)'],
  ],
  run: async (invocation) => (await import('../actions/completion.ts')).runCompletion(invocation),
};

export const helpCommand: CommandSpec = {
  name: 'help',
  about: 'Explain a topic: exit-codes, environment, output.',
  args: [
    {
      name: '[topic]',
      about: 'exit-codes, environment, output, or a command',
      choices: ['exit-codes', 'environment', 'output'],
    },
  ],
  options: [],
  examples: [
    ['rlm help exit-codes', 'explain each exit status'],
    ['rlm help environment', 'list the environment variables'],
    ['rlm help output', 'list the fields of the JSON output'],
  ],
  run: async (invocation) => (await import('../actions/help.ts')).runHelp(invocation),
};
