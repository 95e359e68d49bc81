import type { CommandSpec } from '../command.ts';

export const completionCommand: CommandSpec = {
  name: 'completion',
  about: 'Print what makes TAB complete commands, options and names in your shell.',
  args: [
    { name: '<shell>', about: 'bash, zsh, fish or powershell', choices: ['bash', 'zsh', 'fish', 'powershell'] },
    {
      name: '[words...]',
      about: 'for the scripts: rlm completion candidates -- WORDS prints what the last may become',
    },
  ],
  options: [],
  note: 'Names of models, runs, indexes, roles and settings are looked up when TAB is pressed. What was typed is never evaluated.',
  examples: [
    ['source <(rlm completion bash)', 'in ~/.bashrc'],
    ['source <(rlm completion zsh)', 'in ~/.zshrc, behind compinit'],
    ['rlm completion fish > ~/.config/fish/completions/rlm.fish', 'once, for fish'],
    ['rlm completion powershell | Out-String | Invoke-Expression', 'in the profile of PowerShell ($PROFILE)'],
  ],
  run: async (invocation) => (await import('../actions/completion.ts')).runCompletion(invocation),
};
