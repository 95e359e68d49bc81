import { indexNames } from '../../api/indexes.ts';
import { configuredProvider } from '../../api/models/setup.ts';
import { listTools } from '../../api/open-tools.ts';
import { listRoles } from '../../api/roles.ts';
import { listRuns } from '../../api/runs/recorded-runs.ts';
import { loadConfiguration } from '../../config/layers.ts';
import { settingsByKey } from '../../config/settings.ts';
import { type ExitCode, RlmError } from '../../errors.ts';
import {
  type ArgumentSpec,
  type CommandSpec,
  colorOption,
  helpOption,
  type Invocation,
  type OptionSpec,
  type ValueKind,
} from '../command.ts';
import { oneLine } from '../terminal.ts';

const aboutLength = 60;

/** Prints the script of a shell; with `candidates`, the completions of the last word, one per line. */
export async function runCompletion({ args, stdout, commands }: Invocation): Promise<ExitCode> {
  const shell = args[0] as string;
  if (shell === 'candidates') {
    const words = ((args[1] ?? []) as readonly string[]).map((word) => word.replace(/^=/, ''));
    for (const [word, about] of await completionsFor(words, commands, knownValues))
      stdout.write(`${word}${about === '' ? '' : `\t${oneLine(about, aboutLength)}`}\n`);
  } else if (Object.hasOwn(completionScripts, shell)) stdout.write(completionScripts[shell]!);
  else {
    const hint = `The shells are ${Object.keys(completionScripts).join(', ')}.`;
    throw new RlmError('usage', `unknown shell "${shell}"`, { hint });
  }
  return 0;
}

type FindValues = (kind: ValueKind) => Promise<readonly CompletionCandidate[]>;

interface Line {
  readonly command: CommandSpec | null;
  /** The words between the command and the word to complete. */
  readonly before: readonly string[];
  readonly current: string;
}

const namesOf = ({ flags }: OptionSpec): string[] => flags.split(/[ ,]+/).filter((part) => part.startsWith('-'));

const optionsOf = (command: CommandSpec): readonly OptionSpec[] => [...command.options, helpOption, colorOption];

/** Reads a setting's choices from the message of its check. Returns none for a setting without fixed choices. */
function settingChoices({ flags }: OptionSpec): readonly string[] {
  const setting = [...settingsByKey.values()].find(({ flag }) => flag === flags);
  const checked = setting?.check('\0');
  const expected = checked && 'expected' in checked ? checked.expected : '';
  const [, several, only = ''] = /^expected (?:one of (.*)|"(.*)")$/.exec(expected) ?? [];
  return (several ?? only).split(', ').filter(Boolean);
}

async function valuesOf(spec: OptionSpec | ArgumentSpec, find: FindValues): Promise<readonly CompletionCandidate[]> {
  const choices = spec.choices ?? ('flags' in spec ? settingChoices(spec) : []);
  return [...choices.map((one) => [one, ''] as const), ...(spec.values ? await find(spec.values) : [])];
}

/** Finds the option that has this name and takes a value. */
const optionNamed = (command: CommandSpec, word: string): OptionSpec | undefined =>
  optionsOf(command).find((option) => option.flags.includes('<') && namesOf(option).includes(word));

function openArgument(command: CommandSpec, before: readonly string[]): ArgumentSpec | null {
  let count = 0;
  let isValue = false;
  for (const [index, word] of before.entries()) {
    const isOption = word.startsWith('-') && word !== '-' && !before.slice(0, index).includes('--');
    if (!isValue && !isOption) count += 1;
    isValue = isOption && optionNamed(command, word) !== undefined;
  }
  const last = command.args.at(-1);
  return command.args[count] ?? (last?.name.includes('...') ? last : null);
}

function optionCandidates(command: CommandSpec, before: readonly string[]): CompletionCandidate[] {
  const options = optionsOf(command).filter((option) => !namesOf(option).some((name) => before.includes(name)));
  return options.map((option) => [namesOf(option).at(-1)!, option.about]);
}

async function candidatesFor(
  { command, before, current }: Line,
  commands: readonly CommandSpec[],
  find: FindValues,
): Promise<readonly CompletionCandidate[]> {
  if (command === null) return current.startsWith('-') ? [] : commands.map(({ name, about }) => [name, about]);
  const hasOptions = !before.includes('--');
  const open = hasOptions ? optionNamed(command, before.at(-1) ?? '') : undefined;
  if (open !== undefined) return valuesOf(open, find);
  const [, flag] = (hasOptions && /^(-[^=]*)=/.exec(current)) || [];
  if (flag !== undefined) {
    const option = optionNamed(command, flag);
    return option ? (await valuesOf(option, find)).map(([word, about]) => [`${flag}=${word}`, about]) : [];
  }
  if (hasOptions && current.startsWith('-')) return optionCandidates(command, before);
  const argument = openArgument(command, before);
  return argument === null ? [] : valuesOf(argument, find);
}

/** Finds the command and the word to complete. The command is `ask` if the first word is not a command. */
function lineOf(words: readonly string[], commands: readonly CommandSpec[]): Line {
  const [before, current] = [words.slice(0, -1), words.at(-1) ?? ''];
  const [first] = before;
  if (first === undefined) return { command: null, before, current };
  const named = commands.find(({ name }) => name === first);
  if (named) return { command: named, before: before.slice(1), current };
  return { command: commands.find(({ name }) => name === 'ask')!, before, current };
}

/** Returns the completions of the last word. This word may be empty. Returns none if a file is expected. */
export async function completionsFor(
  words: readonly string[],
  commands: readonly CommandSpec[],
  find: FindValues,
): Promise<readonly CompletionCandidate[]> {
  const line = lineOf(words, commands);
  const found = await candidatesFor(line, commands, find);
  // Excludes words that a shell would have to quote or could interpret.
  return found.filter(([word]) => word.startsWith(line.current) && /^[\w./:@%+=,-]+$/.test(word));
}

type CompletionCandidate = readonly [word: string, about: string];

/** The longest wait for a server during completion, in ms. */
const serverMs = 1_500;

async function modelCandidates(): Promise<CompletionCandidate[]> {
  const provider = await configuredProvider(loadConfiguration()).open();
  const survey = await provider.survey?.(AbortSignal.timeout(serverMs));
  return (survey?.models ?? []).map((model) => [model.name, '']);
}

const finders: Readonly<Record<ValueKind, () => Promise<CompletionCandidate[]>>> = {
  models: modelCandidates,
  runs: async () => (await listRuns()).map(({ runId, task }) => [runId, task ?? '']),
  indexes: async () => (await indexNames(loadConfiguration())).map((name) => [name, '']),
  roles: async () => (await listRoles()).map(({ name, about }) => [name, about]),
  settings: async () => [...settingsByKey].map(([key, { about }]) => [key, about]),
  tools: async () => (await listTools()).map(({ name, about }) => [name, about]),
};

/** Finds nothing if an error occurs, because completion must not print errors. */
const knownValues: FindValues = async (kind) => finders[kind]().catch(() => []);

const bash = `# bash completion of rlm. To load it: source <(rlm completion bash)
_rlm() {
  local cur line word words=() quoted i
  # bash splits words at : and =, which occur in model names and in --flag=value.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if ((i > 1)) && [[ $word == [:=]* || \${COMP_WORDS[i - 1]} == [:=] ]]; then
      words[\${#words[@]} - 1]+=$word
    else
      words+=("$word")
    fi
  done
  cur=\${words[\${#words[@]} - 1]}
  COMPREPLY=()
  while IFS= read -r line; do
    line=\${line%%$'\\t'*}
    # The part before the last : or = is already typed.
    line=\${line:$((\${#cur} - \${#COMP_WORDS[COMP_CWORD]}))}
    [[ \${COMP_WORDS[COMP_CWORD]} == [:=] ]] && line=\${line:1}
    printf -v quoted %q "$line"
    COMPREPLY+=("$quoted")
  done < <(rlm completion candidates -- "\${words[@]/#/=}" 2>/dev/null)
}
complete -o bashdefault -o default -F _rlm rlm
`;

const zsh = `#compdef rlm
# zsh completion of rlm. To load it: source <(rlm completion zsh), or save it as _rlm in a folder of $fpath.
_rlm() {
  local line
  local -a names shown
  while IFS= read -r line; do
    names+=("\${line%%$'\\t'*}")
    shown+=("\${line/$'\\t'/  -- }")
  done < <(rlm completion candidates -- "\${(@)words[2,CURRENT]/#/=}" 2>/dev/null)
  if (( \${#names} )); then
    compadd -l -d shown -a names
  else
    _files
  fi
}
if [ "\${funcstack[1]}" = _rlm ]; then
  _rlm "$@"
else
  compdef _rlm rlm
fi
`;

const fish = `# fish completion of rlm. To load it: rlm completion fish | source
function __rlm_candidates
    set -l words (commandline -opc) (commandline -ct)
    set -l found (rlm completion candidates -- "="$words[2..-1] 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c rlm -f -a '(__rlm_candidates)'
`;

const powershell = `# PowerShell completion of rlm. To load it: rlm completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName rlm -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { '=' + $_.Extent.Text })
    $words += '=' + $wordToComplete
    & rlm completion candidates '--' @words 2>$null | ForEach-Object {
        $name, $about = $_ -split "\`t", 2
        if (-not $about) { $about = $name }
        [System.Management.Automation.CompletionResult]::new($name, $name, 'ParameterValue', $about)
    }
}
`;

const completionScripts: Readonly<Record<string, string>> = { bash, zsh, fish, powershell };
