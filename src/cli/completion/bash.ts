import {
  quoted,
  valueRows,
  type Completion,
  type Place,
  type ValueRow,
  type Word,
} from './model.js';

const joined = (words: readonly Word[]): string => quoted(words.map(({ word }) => word).join(' '));

function placeCase({ path, commands, flags, arguments: given }: Place): string {
  const parts = [
    ...(commands.length > 0 ? [`commands=${joined(commands)}`] : []),
    ...(flags.length > 0 ? [`flags=${joined(flags)}`] : []),
    ...(given.length > 0 ? [`arguments=(${given.map(quoted).join(' ')})`] : []),
  ];
  return `    ${quoted(path)}) ${parts.join(' ')} ;;`;
}

const valueCase = ({ options, text }: ValueRow): string =>
  `    ${options.map(quoted).join('|')}) values=${quoted(text)} ;;`;

/** The script that completes commands in bash, with no other program. */
export function bashScript(completion: Completion): string {
  const { places, everywhere, settings } = completion;
  const { own, common } = valueRows(completion);
  return `# Completes the command imgstore in bash; made by "imgstore completion bash".

# Sets what can come after the command $1; fails if there is none of that name.
_imgstore_place() {
  commands='' flags='' arguments=()
  case $1 in
${places.map(placeCase).join('\n')}
    *) return 1 ;;
  esac
}

# Sets what the option $2 of the command $1 takes; fails if it takes nothing.
_imgstore_values() {
  case "$1 $2" in
${own.map(valueCase).join('\n')}
    *)
      case $2 in
${common.map((row) => `    ${valueCase(row)}`).join('\n')}
        *) return 1 ;;
      esac ;;
  esac
}

# Offers words, files, or directories.
_imgstore_offer() {
  case $1 in
    @files) compopt -o default 2> /dev/null ;;
    @directories) compopt -o plusdirs 2> /dev/null ;;
    '@list '*)
      local before=\${current%"\${current##*,}"}
      COMPREPLY+=($(compgen -P "$before" -W "\${1#@list }" -- "\${current##*,}")) ;;
    *) COMPREPLY+=($(compgen -W "$1" -- "$current")) ;;
  esac
}

_imgstore() {
  local current=\${COMP_WORDS[COMP_CWORD]} path='' option='' word
  local commands flags values
  local -a arguments
  local -i i given=0
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case $word in
      --*)
        # Bash makes three words of --option=value.
        if [[ \${COMP_WORDS[i + 1]} == = ]]; then
          i+=2
        elif _imgstore_values "$path" "$word"; then
          i+=1
        fi
        if ((i >= COMP_CWORD)); then option=$word; fi ;;
      -?*) ;;
      *)
        if ((given == 0)) && _imgstore_place "\${path:+$path }$word"; then
          path="\${path:+$path }$word"
        else
          given+=1
        fi ;;
    esac
  done
  _imgstore_place "$path"
  if [[ -n $option ]]; then
    if [[ $current == = ]]; then current=''; fi
    _imgstore_values "$path" "$option" && _imgstore_offer "$values"
  elif [[ $current == -* ]]; then
    _imgstore_offer "$flags ${everywhere.map(({ word }) => word).join(' ')}"
    # All settings only when asked for: they are many.
    if [[ $current == --?* ]]; then
      _imgstore_offer ${joined(settings)}
    fi
  else
    if ((given == 0)); then _imgstore_offer "$commands"; fi
    _imgstore_offer "\${arguments[given]}"
  fi
}

complete -F _imgstore imgstore
`;
}
