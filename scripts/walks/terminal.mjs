// Runs commands in a real terminal of 80 columns, as somebody would type them, and gives its text.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { columns, settled, wrapped } from './screen.mjs';

/** What a shell does with the lines of a walk: shows each behind a prompt, then runs it. */
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

/** Parts are at most one empty line apart. */
const onScreen = (text) =>
  wrapped(settled(text))
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();

/**
 * @param home directory of whoever types, shown as `/home/dev`.
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
