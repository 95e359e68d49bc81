import type { CommandSpec } from '../command.ts';

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
