import { spawn, spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** A shell that completes commands with a script. */
export interface Shell {
  readonly name: 'bash' | 'zsh' | 'fish';
  /** The file name of the script in the shell's completion directory. */
  readonly file: string;
  /** The words that it offers at the end of each line, one array per line; runs in `dir`. */
  readonly offered: (script: string, lines: readonly string[], dir: string) => Promise<string[][]>;
}

/** Separates the offers for one line from those for the next. */
const rule = '+++++';

async function run(file: string, args: readonly string[], cwd: string): Promise<string[][]> {
  const child = spawn(file, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  const printed = await text(child.stdout);
  return printed
    .split(`${rule}\n`)
    .slice(1)
    .map((part) => part.split('\n').filter((line) => line !== ''));
}

const bashProgram = `
source "$1"; shift
for line; do
  echo ${rule}
  read -ra words <<< "\${line//=/ = }"
  if [[ $line == *' ' ]]; then words+=(''); fi
  COMP_WORDS=("\${words[@]}") COMP_CWORD=$((\${#words[@]} - 1))
  _imgstore
  printf '%s\\n' "\${COMPREPLY[@]}"
done`;

const fishProgram = `
source $argv[1]
for line in $argv[2..]
  echo ${rule}
  complete -C $line | string replace -r '\\t.*' ''
end`;

/** zsh completes only on a terminal, so this runs another zsh on a pseudo-terminal of zpty. */
const zshProgram = `
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'stty -echo; PROMPT=; autoload -Uz compinit; compinit -u -D; source '"\${(q)1}"
zpty -w z 'compadd() {
  if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd "$@"; return; fi
  local -a hits; builtin compadd -A hits "$@"
  local hit; for hit in $hits; do print -r -- "hit:$hit"; done
  builtin compadd "$@"
}
unsetopt autolist automenu
look() { print; zle complete-word; BUFFER=; print end: }
zle -N look
bindkey "^I" look
print rea""dy:'
while zpty -r z line; do [[ $line == *ready:* ]] && break; done
shift
for typed; do
  print ${rule}
  zpty -w -n z "$typed"$'\\t'
  while zpty -r z line; do
    line=\${\${line//$'\\r'/}%$'\\n'}
    [[ $line == *end:* ]] && break
    [[ $line == hit:* ]] && print -r -- \${line#hit:}
  done
done
zpty -d z`;

const withProgram =
  (file: string, before: readonly string[]) =>
  (script: string, lines: readonly string[], dir: string): Promise<string[][]> =>
    run(file, [...before, script, ...lines], dir);

export const shells: readonly Shell[] = [
  {
    name: 'bash',
    file: 'imgstore',
    offered: withProgram('bash', ['--norc', '-c', bashProgram, 'bash']),
  },
  { name: 'zsh', file: '_imgstore', offered: withProgram('zsh', ['-f', '-c', zshProgram, 'zsh']) },
  {
    name: 'fish',
    file: 'imgstore.fish',
    offered: withProgram('fish', ['--no-config', '-c', fishProgram]),
  },
];

/** Why a shell cannot be tested; false if it can. */
export const lacks = ({ name }: Shell): string | false =>
  spawnSync(name, ['-c', 'exit']).status === 0 ? false : `${name} is not installed`;
