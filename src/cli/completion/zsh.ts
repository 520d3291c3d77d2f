import {
  quoted,
  valueRows,
  type Completion,
  type Place,
  type ValueRow,
  type Word,
} from './model.js';

/** Words with their descriptions, separated by colons. */
const described = (words: readonly Word[]): string =>
  words.map(({ word, about }) => quoted(`${word.replaceAll(':', '\\:')}:${about}`)).join(' ');

function placeCase({ path, commands, flags, arguments: given }: Place): string {
  const parts = [
    ...(commands.length > 0 ? [`commands=(${described(commands)})`] : []),
    ...(flags.length > 0 ? [`flags=(${described(flags)})`] : []),
    ...(given.length > 0 ? [`arguments=(${given.map(quoted).join(' ')})`] : []),
  ];
  return `    (${quoted(path)}) ${parts.join(' ')} ;;`;
}

const valueCase = ({ options, text }: ValueRow): string =>
  `    (${options.map(quoted).join('|')}) values=${quoted(text)} ;;`;

/** The script that completes commands in zsh, with no other program. */
export function zshScript(completion: Completion): string {
  const { places, everywhere, settings } = completion;
  const { own, common } = valueRows(completion);
  return `#compdef imgstore
# Completes the command imgstore in zsh; made by "imgstore completion zsh".

# Sets what can come after the command $1; fails if there is none of that name.
_imgstore_place() {
  commands=() flags=() arguments=()
  case $1 in
${places.map(placeCase).join('\n')}
    (*) return 1 ;;
  esac
}

# Sets what the option $2 of the command $1 takes; fails if it takes nothing.
_imgstore_values() {
  case "$1 $2" in
${own.map(valueCase).join('\n')}
    (*)
      case $2 in
${common.map((row) => `    ${valueCase(row)}`).join('\n')}
        (*) return 1 ;;
      esac ;;
  esac
}

# Offers words, files, or directories.
_imgstore_offer() {
  local -a offered
  case $1 in
    (@files) _files ;;
    (@directories) _files -/ ;;
    ('@list '*)
      compset -P '*,'
      offered=(\${=1#@list })
      compadd -qS , -a offered ;;
    (*)
      offered=(\${=1})
      compadd -a offered ;;
  esac
}

_imgstore() {
  local at= option= word values
  local -a commands flags arguments settings
  local -i i given=0
  for ((i = 2; i < CURRENT; i++)); do
    word=\${(Q)words[i]}
    case $word in
      (--*=*) ;;
      (--*)
        if _imgstore_values "$at" "$word"; then
          i+=1
          if ((i >= CURRENT)); then option=$word; fi
        fi ;;
      (-?*) ;;
      (*)
        if ((given == 0)) && _imgstore_place "\${at:+$at }$word"; then
          at="\${at:+$at }$word"
        else
          given+=1
        fi ;;
    esac
  done
  _imgstore_place "$at"
  if [[ -z $option && $PREFIX == --*=* ]]; then
    option=\${PREFIX%%=*}
    compset -P 1 '*='
  fi
  if [[ -n $option ]]; then
    _imgstore_values "$at" "$option" && _imgstore_offer "$values"
  elif [[ $PREFIX == -* ]]; then
    flags+=(${described(everywhere)})
    # All settings only when asked for: they are many.
    if [[ $PREFIX == --?* ]]; then
      settings=(${described(settings)})
    fi
    _describe -o option flags -- settings
  else
    if ((given == 0 && $#commands)); then _describe command commands; fi
    if ((given < $#arguments)); then _imgstore_offer "$arguments[given + 1]"; fi
  fi
}

# Read by compinit when first needed, or by "source" at once.
if [[ $funcstack[1] == _imgstore ]]; then
  _imgstore "$@"
else
  compdef _imgstore imgstore
fi
`;
}
