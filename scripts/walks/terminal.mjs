// Runs commands in a real terminal of 80 columns, as if typed, and returns the text on its screen.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { columns, settled, wrapped } from './screen.mjs';

/** A shell script that prints each line of a walk after a prompt, and then runs it. */
const typist = `stty cols ${columns} rows 50
cd "$HOME"
while IFS= read -r line <&3; do
  case $line in
    '#'*) printf '\\n%s\\n' "$line"; continue ;;
    '') continue ;;
  esac
  printf '\\n%s $ %s\\n' "\${PWD/#$HOME/\\~}" "$line"
  eval "$line" 3<&-
done 3< "$WALK"
`;

/** Collapses several empty lines into one. */
const onScreen = (text) =>
  wrapped(settled(text))
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();

/**
 * @param home directory of the user, shown as `/home/dev`.
 * @param lines commands, and comments that begin with `#`.
 * @param env variables besides HOME.
 */
export async function record(home, lines, env) {
  const walk = join(home, '.walk');
  const shell = join(home, '.typist');
  await Promise.all([writeFile(walk, lines.join('\n') + '\n'), writeFile(shell, typist)]);
  const words = ['-qec', `bash --norc ${shell}`, '/dev/null'];
  const child = spawn('script', words, {
    env: { ...process.env, TERM: 'xterm', LANG: 'C.UTF-8', HOME: home, WALK: walk, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece) => (text += piece));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`The walk ended with ${code}:\n${text}`);
  return onScreen(text.replaceAll(home, '/home/dev'));
}
