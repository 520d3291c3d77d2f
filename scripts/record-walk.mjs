// node scripts/record-walk.mjs: runs the steps of a new user on a real terminal of 80 columns and
// writes its output to docs/walks/newcomer.md, with a screenshot of / next to it. Requires root (the
// clone is mounted as ~/imgstore of a separate user, in a mount namespace), tmux, and Chromium.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = join(root, 'docs/walks');
const uid = 1000;

if (process.argv[2] === undefined) {
  spawnSync(process.execPath, [join(root, 'scripts/setup.mjs')], { stdio: 'inherit' });
  const folder = mkdtempSync(join(tmpdir(), 'imgstore-walk-'));
  const again = ['--mount', process.execPath, fileURLToPath(import.meta.url), folder];
  const { status } = spawnSync('unshare', again, { stdio: 'inherit' });
  // Run outside the namespace, where the clone is not mounted in the folder.
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  process.exit(status ?? 1);
}

const work = process.argv[2];
const run = (file, ...args) => execFileSync(file, args, { encoding: 'utf8' });
const tmux = (...args) => run('tmux', '-S', join(work, 'tmux'), '-f', '/dev/null', ...args);

/** Mounts this clone as /home/you/imgstore for this program and its child processes. */
function moveIn() {
  const home = join(work, 'home');
  mkdirSync(join(home, 'you/imgstore'), { recursive: true });
  run('mount', '--bind', home, '/home');
  run('mount', '--bind', root, '/home/you/imgstore');
  run('chown', `${uid}:${uid}`, '/home/you');
  run('chmod', '755', work);
}

const shell = [
  'setpriv',
  `--reuid=${uid}`,
  `--regid=${uid}`,
  '--clear-groups',
  'env',
  '--ignore-environment',
  'HOME=/home/you',
  'TERM=screen',
  'LANG=C.UTF-8',
  `PATH=${process.env.PATH}`,
  'PS1=$ ',
  'HISTFILE=',
  'npm_config_update_notifier=false',
  '--chdir=/home/you/imgstore',
  'bash',
  '--norc',
];

/** A terminal with 80 columns, high enough that nothing scrolls away. */
class Terminal {
  constructor(name) {
    this.name = name;
    tmux('new-session', '-d', '-s', name, '-x', '80', '-y', '400', ...shell);
  }

  screen() {
    return tmux('capture-pane', '-p', '-t', this.name).replace(/\s+$/, '');
  }

  /** Types words, or presses keys, and waits until the screen matches. */
  async type(text, until) {
    if (text !== '') tmux('send-keys', '-t', this.name, '-l', text);
    tmux('send-keys', '-t', this.name, 'Enter');
    await this.shows(until);
  }

  async press(keys, until) {
    tmux('send-keys', '-t', this.name, ...keys);
    await this.shows(until);
  }

  async shows(until, seconds = 120) {
    for (let left = seconds * 5; !until.test(this.screen()); left -= 1) {
      if (left === 0) throw new Error(`Nothing matches ${until} in:\n${this.screen()}`);
      await delay(200);
    }
  }
}

const prompt = /\n\$$/;

async function walk() {
  const first = new Terminal('first');
  await first.shows(/^\$$/);
  await first.type('npm run up', /Ctrl-C stops everything/);
  const curl = /^curl [^]*?\/images$/m.exec(first.screen())[0];
  const picture = '/home/you/landing.png';
  const size = ['--window-size=800,580', '--hide-scrollbars', '--force-device-scale-factor=1'];
  const chromium = ['--headless', '--no-sandbox', '--disable-gpu', ...size];
  spawnSync('chromium', [...chromium, `--screenshot=${picture}`, 'http://127.0.0.1:8080/']);
  run('cp', picture, join(out, 'landing.png'));
  const second = new Terminal('second');
  await second.shows(/^\$$/);
  await second.type(`${curl} --silent | head -c 300`, /status_code[^]*\$$/);
  await second.type('', prompt);
  await second.type('bin/imgstore console', /#code=[^]*\n\$$/);
  await second.type('bin/imgstore status', /reclaim[^]*\n\$$/);
  await second.type('ls -lgo ~/.local/share/imgstore/tokens', /user\n\$$/);
  const third = new Terminal('third');
  await third.shows(/^\$$/);
  await third.type('bin/imgstore init --home ~/photos', /Who should/);
  await third.type('', /On which TCP port/);
  await third.type('', /already in use[^]*On which TCP port/);
  await third.press(['C-u'], /On which TCP port/);
  await third.type('8081', /Where should/);
  await third.type('', /Which PostgreSQL/);
  await third.type('', /Name of the first/);
  await third.type('Field survey', /is ready[^]*\n\$$/);
  await first.press(['C-c'], prompt);
  const fourth = new Terminal('fourth');
  await fourth.shows(/^\$$/);
  await fourth.type('bin/imgstore serve --help', /Examples[^]*\n\$$/);
  return { first, second, third, fourth };
}

const block = (terminal) => `\`\`\`\n${terminal.screen().replace(/\n\$$/, '')}\n\`\`\``;

try {
  moveIn();
  const { first, second, third, fourth } = await walk();
  const text = `# The newcomer's walk

What a newcomer sees, recorded on a terminal of 80 columns by \`node scripts/record-walk.mjs\`: a clone in \`~/imgstore\`, after \`npm run setup\`.

## Start

${block(first)}

The address, opened in a browser:

![The page at /: what this server is, links to the console, the API documentation, the OpenAPI document, and its state, and the commands that issue tokens](landing.png)

## In a second terminal

The upload as it was printed, with the answer cut after 300 characters; a link that signs in to the console once; the state of the service; and the tokens.

${block(second)}

## A second home, with answers instead of defaults

${block(third)}

## Help

${block(fourth)}
`;
  writeFileSync(join(out, 'newcomer.md'), text);
} finally {
  spawnSync('tmux', ['-S', join(work, 'tmux'), 'kill-server']);
}
