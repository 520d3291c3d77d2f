import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Environment variables that configure access to package registries, for build steps only. */
const registryVariables = [
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'npm_config_registry',
  'NODE_EXTRA_CA_CERTS',
];

const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The steps of a container engine before the program starts: /proc, volumes, a separate root. */
const enter = `
  mount -t proc proc "$ROOT/proc" || exit 125
  [ -z "$VOLUME" ] || mount --bind "$VOLUME" "$ROOT$TARGET" || exit 125
  exec chroot "$ROOT" "$@"`;

/** Like cap_drop: [ALL] and no-new-privileges. */
const unprivileged = (uid) => [
  'setpriv',
  `--reuid=${uid}`,
  `--regid=${uid}`,
  '--clear-groups',
  '--no-new-privs',
  '--bounding-set=-all',
  '--inh-caps=-all',
  '--',
];

const words = (env) => Object.entries(env).map(([name, value]) => `${name}=${value}`);

/** The command line that runs a command in a root with the given environment. */
const inside = ({ cwd = '/', env = {}, uid }, argv) => [
  'env',
  '-i',
  `--chdir=${cwd}`,
  `PATH=${path}`,
  ...words(env),
  ...(uid ? unprivileged(uid) : []),
  ...argv,
];

/** Starts a command in a root, in its own PID and mount namespaces; it dies with its parent. */
export function start(root, { volume, target, ...options }, argv) {
  const unshare = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', enter, 'sh'];
  const env = { PATH: path, ROOT: root, VOLUME: volume ?? '', TARGET: target ?? '' };
  return spawn('unshare', [...unshare, ...inside(options, argv)], { env });
}

/** Starts another command in a running container, like "docker exec". */
export function exec(container, options, argv) {
  const namespaces = [`--target=${firstPid(container)}`, '--mount', '--pid', '--root', '--wd'];
  return spawn('nsenter', [...namespaces, ...inside(options, argv)]);
}

/** The host's pid of process 1 in the container. */
export function firstPid({ pid }) {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
}

/** Waits for the exit. @returns exit code and output. */
export function ended(child) {
  return new Promise((resolve, reject) => {
    let output = '';
    let stdout = '';
    child.stdout.on('data', (data) => (stdout += data));
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => (output += data));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output, stdout }));
  });
}

/** A build step: as root, with access to the registries. @throws Error with its output. */
export async function step(root, { cwd, env }, command) {
  const open = Object.fromEntries(
    registryVariables.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  );
  const options = { cwd, env: { HOME: '/root', ...open, ...env } };
  const { code, output } = await ended(start(root, options, ['sh', '-c', command]));
  if (code !== 0) throw new Error(`RUN ${command} failed with ${code}:\n${output}`);
}
