/**
 * The completion script of each shell. A script passes the typed words to the program as arguments, each with a
 * leading `=` so that an empty word is not lost, and offers the words that the program prints. The shell finds the
 * program on its search path. Nothing is evaluated.
 */

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

/** The script of each shell. */
export const completionScripts: Readonly<Record<string, string>> = { bash, zsh, fish, powershell };
