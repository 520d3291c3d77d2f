// Records a session of an operator in docs/walks/operator.txt: real commands on a real terminal of 80
// columns, with a temporary home. Needs util-linux's script(1).
//   node scripts/record-operator.mjs > docs/walks/operator.txt
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { settled, wrapped } from './walks/screen.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'imgstore-walk-'));
chmodSync(work, 0o755); // the database's own user needs access
const home = join(work, 'home');
const shown = '/srv/imgstore';

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

const port = await freePort();
const env = {
  PATH: `${join(root, 'bin')}:${process.env.PATH}`,
  HOME: work,
  TERM: 'xterm',
  LANG: 'C.UTF-8',
  IMGSTORE_HOME: home,
};

/** Replaces values that differ from machine to machine. */
const neutral = (text) =>
  text
    .replaceAll(home, shown)
    .replaceAll(work, '/tmp')
    .replaceAll(`:${port}`, ':8080')
    .replaceAll(`port ${port}`, 'port 8080')
    .replaceAll(` ${port}`, ' 8080')
    .replaceAll(root.replace(/\/$/, ''), '/opt/imgstore')
    .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'eyJ…');

const say = (text) => process.stdout.write(`${wrapped(neutral(text))}\n`);

/** Runs a shell line on a terminal, and prints it with its output. @param typed input for a question. */
async function walk(line, { typed, as = line } = {}) {
  const terminal = spawn(
    'script',
    ['--quiet', '--return', '--command', `stty cols 80 rows 40; ${line}`, '/dev/null'],
    { env, cwd: work, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  let output = '';
  let answered = typed === undefined;
  terminal.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
    if (answered || !output.includes('?')) return;
    answered = true;
    terminal.stdin.write(typed);
  });
  await once(terminal, 'close');
  // A question is redrawn with each key; only the last version remains.
  const last = typed === undefined ? output : output.slice(output.lastIndexOf('✔'));
  const text = settled(last).trimEnd();
  say(`$ ${as}${text === '' ? '' : `\n${text}`}`);
  if (terminal.exitCode !== 0) say(`[exit code ${terminal.exitCode}]`);
  say('');
}

const note = (text) => say(`# ${text}\n`);

/** Starts the service, whose log is shown later. */
async function serve() {
  const log = join(work, 'log');
  const service = spawn('sh', ['-c', `exec imgstore serve 2>>'${log}'`], { env, cwd: work });
  say('$ imgstore serve 2>>log &');
  const ended = once(service, 'exit').then(() => Promise.reject(new Error('it does not serve')));
  await Promise.race([once(service.stdout, 'data'), ended]);
  ended.catch(() => undefined); // it may end later
  say(`imgstore is listening at http://127.0.0.1:${port}\n`);
  return service;
}

let service;
try {
  note('Nothing is there yet.');
  await walk('imgstore status');
  await walk('imgstore init --plan');
  await walk('imgstore init --yes');
  await walk('imgstore init --plan');
  note('Settings, and mistakes in them.');
  await walk(`imgstore config set prot 8080`);
  await walk(`imgstore config set port ${port}`);
  await walk('imgstore config set tokens.user_ttl 48h');
  await walk('imgstore config show | grep ttl');
  await walk('IMGSTORE_LOG_LEVLE=debug imgstore config check');
  await walk("echo 'limits.max_uplod_mb: 100' >> $(imgstore config path)");
  await walk('imgstore config check');
  await walk("sed -i '/max_uplod/d' $(imgstore config path); imgstore config check");
  await walk('imgstore serve --port abc');
  await walk("imgstore migrate --status --database-url 'postgresql://a@b/c?sslmode=prefer'");
  note('Serving.');
  service = await serve();
  await walk('imgstore platform create --name "Field survey" | head -1');
  await walk('imgstore status');
  await walk(
    `curl -s http://127.0.0.1:${port}/api/v1/platforms/ > /dev/null; sleep 1; tail -1 log`,
  );
  await walk('imgstore logs level debug');
  await delay(1_500); // the service checks once a second
  await walk(`curl -s http://127.0.0.1:${port}/livez; echo; tail -1 log`);
  await walk('imgstore logs level default');
  note('Taking access away.');
  const id = '$(imgstore platform list | cut -d" " -f1)';
  await walk(`imgstore platform revoke ${id}`, { typed: 'y\r' });
  await walk('imgstore keys rotate --revoke-old --yes');
  await walk('imgstore platform revoke 01a2 --yes');
  note('Checking.');
  await walk('imgstore stats verify');
  await walk('chmod 644 $IMGSTORE_HOME/secrets/master.key; imgstore platform list');
  await walk('chmod 600 $IMGSTORE_HOME/secrets/master.key; imgstore platform list');
  note('Stopping.');
  const ended = once(service, 'exit');
  service.kill('SIGTERM');
  say('$ kill %1; wait');
  await ended;
  service = undefined;
  await walk('tail -2 log');
  await walk('imgstore status');
} finally {
  if (service) {
    const ended = once(service, 'exit');
    service.kill('SIGTERM');
    await ended;
  }
  rmSync(work, { recursive: true, force: true });
}
