import { execFile, type ForkOptions } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { constants } from 'node:fs';
import { access, chmod, copyFile, link, mkdir, readFile, rm, unlink } from 'node:fs/promises';
import { release } from 'node:os';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { badConfiguration } from '../base/errors/operator.js';
import { packageFile } from '../base/installed-files.js';
import { lacksLinks } from '../base/os/files.js';
import type { Logger } from '../base/telemetry/logger.js';
import { secondMs } from '../base/units.js';

/** `require`: start only with bubblewrap; `off`: never use it. */
export type SandboxSetting = 'auto' | 'require' | 'off';

/** What confines imaging processes, for operators: see docs/adr/0008. */
export interface Confinement {
  readonly level: 'bubblewrap' | 'user' | 'none';
  /** What it means, in a sentence. */
  readonly about: string;
  /** Why it is not bubblewrap. */
  readonly lacks?: string;
}

/** How to start a confined process. */
interface ConfinedLaunch extends Pick<
  ForkOptions,
  'execPath' | 'execArgv' | 'uid' | 'gid' | 'cwd'
> {
  /** Whether the started process is bubblewrap, which reports the imaging process at `infoFd`. */
  readonly wrapped: boolean;
}

export interface Sandbox {
  readonly confinement: Confinement;
  /** Folders of the processes. */
  readonly folders: string;
  /** Options for a process that may read the files linked into `folder`, and no others there. */
  launch(folder: string): ConfinedLaunch;
  /** Links the picture at `path` into the folder of the process that decodes it. */
  lend(path: string, target: string): Promise<void>;
  takeBack(target: string): Promise<void>;
}

/** The folder in `incoming` with a folder for each imaging process. */
export const decodersFolder = 'decoders';
/** Descriptor on which bubblewrap writes the id of the process that it started. */
export const infoFd = 4;

/** Where an imaging process finds its folder. */
const pictureFolder = '/picture';
/** Libraries and what finds them; /etc has nothing else that a decoder needs. */
const systemFolders = [
  '/usr/lib',
  '/usr/lib64',
  '/usr/local/lib',
  '/lib',
  '/lib64',
  '/etc/ld.so.cache',
  '/etc/alternatives',
];
/** Threads of a process, about four times as many as it ever uses. */
const maxThreads = 128;
/** User ids that neither distributions, systemd, nor containers assign: see systemd's UIDS-GIDS. */
const firstUser = 0x7000_0000;
const users = 0x0fff_ffff;
const probeLimitMs = 20 * secondMs;

type Words = readonly string[];

/** A way to start processes, strongest first. */
interface Candidate extends Confinement {
  /** The words before the program. */
  readonly words: (user: number, folder: string, info: Words) => Words;
  /** Whether the user changes by `fork`, not by the words. */
  readonly forkAs?: boolean;
  /** Whether the words prevent that the process gains privileges. */
  readonly bound: boolean;
}

async function findProgram(name: string): Promise<string | undefined> {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/bin'];
  for (const path of folders.filter(isAbsolute).map((folder) => join(folder, name))) {
    if (
      await access(path, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return path;
  }
  return undefined;
}

const ancestors = (path: string): string[] =>
  path === '/' ? [] : [...ancestors(dirname(path)), path];

/** Since Linux 5.14, the limit on processes counts only those of the user namespace. */
function countsPerNamespace(): boolean {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  return major > 5 || (major === 5 && minor >= 14);
}

/** A view of the file system with nothing but the program and the folder of the process. */
function view(program: string, tools: Words, folder: string): Words {
  const files = [process.execPath, '/bin/sh', packageFile('package.json'), ...tools];
  const libraries = (process.env.LD_LIBRARY_PATH ?? '').split(delimiter).filter(isAbsolute);
  const modules = ancestors(dirname(program)).map((parent) => join(parent, 'node_modules'));
  const shown = [...systemFolders, ...libraries, ...modules, dirname(program), ...files];
  // Otherwise bubblewrap makes some of the folders around them accessible only for root.
  const around = new Set(shown.flatMap((path) => ancestors(dirname(path))));
  return [
    ...[...around].flatMap((path) => ['--dir', path]),
    ...shown.flatMap((path) => ['--ro-bind-try', path, path]),
    ...['/dev/null', '/dev/urandom'].flatMap((path) => ['--dev-bind', path, path]),
    '--ro-bind',
    folder,
    pictureFolder,
    '--chdir',
    pictureFolder,
    '--remount-ro',
    '/',
  ];
}

/** No /proc: it would show this process alone, and many containers forbid to mount it. */
const apart = [
  '--unshare-ipc',
  '--unshare-pid',
  '--unshare-net',
  '--unshare-uts',
  '--unshare-cgroup-try',
  '--die-with-parent',
  '--new-session',
  '--cap-drop',
  'ALL',
];

const bubblewrap = {
  level: 'bubblewrap',
  bound: true,
  about:
    'Each imaging process runs in bubblewrap: it can read its program and the picture that it ' +
    'decodes, write nothing, and reach neither the network nor other processes.',
} as const;
const alone = 'Each imaging process runs as a user of its own';
const openNet = `${alone}, but it can use the network.`;
const asRoot = 'Imaging processes run as root, since other users cannot read their program.';
const asService =
  'Imaging processes run as the user of the service: one that is taken over can read everything ' +
  'that the service can, including secrets/master.key.';
/** What setpriv needs to change the user; it keeps nothing. */
const asOtherUser = ['SETUID', 'SETGID', 'SETPCAP'].flatMap((name) => ['--cap-add', `CAP_${name}`]);

/** The ways to start processes with the programs of this machine, strongest first. */
async function candidates(program: string, setting: SandboxSetting): Promise<Candidate[]> {
  const [bwrap, unshare, prlimit, setpriv] = await Promise.all(
    ['bwrap', 'unshare', 'prlimit', 'setpriv'].map(findProgram),
  );
  const limits = (threads: boolean): Words =>
    prlimit
      ? [prlimit, ...(threads ? [`--nproc=${maxThreads}`] : []), '--core=0', '--fsize=0']
      : [];
  const tools = [prlimit, setpriv].flatMap((tool) => tool ?? []);
  const wrap = (folder: string, info: Words, more: Words): Words =>
    bwrap ? [bwrap, ...apart, ...more, ...info, ...view(program, tools, folder), '--'] : [];
  const mayWrap = bwrap !== undefined && setting !== 'off';
  if (process.getuid?.() !== 0) {
    const none = { level: 'none', about: asService } as const;
    const words: Candidate['words'] = (_user, folder, info) => [
      ...wrap(folder, info, ['--unshare-user']),
      ...limits(countsPerNamespace()),
    ];
    const wrapped: Candidate = { ...bubblewrap, words };
    return [...(mayWrap ? [wrapped] : []), ...unconfined(none, setpriv)];
  }
  const asUser = (user: number): Words => [
    ...limits(true),
    setpriv ?? '',
    `--reuid=${user}`,
    `--regid=${user}`,
    '--clear-groups',
    '--no-new-privs',
    '--inh-caps=-all',
    '--bounding-set=-all',
    // Afterward, since a change of the user clears it.
    setpriv ?? '',
    '--pdeathsig=KILL',
  ];
  const words: Candidate['words'] = (user, folder, info) => [
    ...wrap(folder, info, asOtherUser),
    ...asUser(user),
  ];
  const user = { level: 'user', bound: true } as const;
  const offline = (id: number): Words => [unshare ?? '', '--net', '--ipc', ...asUser(id)];
  return [
    ...(mayWrap && setpriv ? [{ ...bubblewrap, words }] : []),
    ...(unshare && setpriv
      ? [{ ...user, about: `${alone}, without network.`, words: offline }]
      : []),
    ...(setpriv ? [{ ...user, about: openNet, words: asUser }] : []),
    { ...user, bound: false, about: openNet, forkAs: true, words: () => limits(true) },
    ...unconfined({ level: 'none', about: asRoot }, setpriv),
  ];
}

const unconfined = (none: Confinement, setpriv: string | undefined): Candidate[] => [
  ...(setpriv ? [{ ...none, bound: true, words: () => [setpriv, '--no-new-privs'] }] : []),
  { ...none, bound: false, words: () => [] },
];

const randomUser = (): number => firstUser + randomInt(users);

function launchOf({ words, forkAs, level }: Candidate, folder: string): ConfinedLaunch {
  const user = randomUser();
  const prefix = words(user, folder, ['--info-fd', String(infoFd)]);
  const [execPath = process.execPath, ...execArgv] = [...prefix, process.execPath];
  return {
    execPath,
    execArgv,
    cwd: folder,
    wrapped: level === 'bubblewrap',
    ...(forkAs && { uid: user, gid: user }),
  };
}

/** What `test` does not say. */
const silent = 'the program cannot be read there';

/** @returns why processes cannot be started like this; undefined if they can. */
async function failureOf(
  { words, forkAs }: Candidate,
  program: string,
  folder: string,
): Promise<string | undefined> {
  const user = randomUser();
  const readable = 'test -r "$1" && exec "$0" --version';
  const shell = ['/bin/sh', '-c', readable, process.execPath, program];
  const [file = '', ...args] = [...words(user, folder, []), ...shell];
  const { PATH, LD_LIBRARY_PATH } = process.env;
  const options = {
    cwd: folder,
    env: { PATH, LD_LIBRARY_PATH },
    timeout: probeLimitMs,
    ...(forkAs && { uid: user, gid: user }),
  };
  return promisify(execFile)(file, args, options).then(
    () => undefined,
    ({ stderr }: { stderr?: string }) => (stderr?.trim() || silent).split('\n')[0],
  );
}

/** Whether this process and its children cannot gain privileges, as under the systemd units. */
const isBound = (): Promise<boolean> =>
  readFile('/proc/self/status', 'utf8').then(
    (status) => /^NoNewPrivs:\t1$/m.test(status),
    () => false,
  );

const notInstalled = 'it is not installed';
const install = 'apt-get install bubblewrap (or the same package of another distribution)';

/** How an operator gets bubblewrap to work. */
export const sandboxRemedy = (lacks: string): string =>
  lacks === notInstalled
    ? `Install it, and restart the service: ${install}`
    : 'Allow user namespaces (sysctl user.max_user_namespaces, ' +
      'kernel.apparmor_restrict_unprivileged_userns; for a container: docs/install.md), and ' +
      'restart the service';

/**
 * Prepares for processes that run `program` and decode pictures below `folder`, in the strongest
 * way that works here.
 *
 * @throws OperatorError 78 if the setting requires bubblewrap, and it does not work.
 */
export async function prepareSandbox(
  program: string,
  folder: string,
  setting: SandboxSetting,
  logger: Logger,
): Promise<Sandbox> {
  const folders = join(folder, decodersFolder);
  const trial = join(folders, 'trial');
  await mkdir(trial, { recursive: true, mode: 0o700 });
  await chmod(trial, 0o711);
  let lacks = setting === 'off' ? 'imaging.sandbox is off' : notInstalled;
  const all = await candidates(program, setting);
  // The last one is not confined at all; if it fails, so does the first process.
  let chosen = all.pop() as Candidate;
  for (const candidate of all) {
    const failure = await failureOf(candidate, program, trial);
    if (failure === undefined) {
      chosen = candidate;
      break;
    }
    if (candidate.level === 'bubblewrap') lacks = failure;
  }
  await rm(trial, { recursive: true });
  const { level, about, bound } = chosen;
  if (level !== 'bubblewrap') warn({ level, about, lacks }, setting, logger);
  // Under the systemd units, the service is bound, and their filter may forbid setpriv.
  if (!bound && !(await isBound()))
    logger.warn('imaging processes can gain privileges: setpriv (util-linux) is missing or fails');
  return confinedBy(chosen, folders, lacks);
}

/** @throws OperatorError 78 if the setting requires bubblewrap. */
function warn({ about, lacks = '' }: Confinement, setting: SandboxSetting, logger: Logger): void {
  const remedy = sandboxRemedy(lacks);
  if (setting === 'require') {
    throw badConfiguration(`Imaging processes cannot run in bubblewrap: ${lacks}.`, {
      setting: 'imaging.sandbox',
      remedy,
    });
  }
  if (setting === 'auto') {
    logger.warn('imaging processes without bubblewrap', { lacks, remedy, about });
  }
}

function confinedBy(candidate: Candidate, folders: string, lacks: string): Sandbox {
  const { level, about } = candidate;
  const otherUser = process.getuid?.() === 0 && level !== 'none';
  return {
    folders,
    confinement: { level, about, ...(level !== 'bubblewrap' && { lacks }) },
    launch: (folder) => launchOf(candidate, folder),
    lend: async (path, target) => {
      // Readable for all: only this process can enter the folder.
      if (otherUser) await chmod(path, 0o644);
      await link(path, target).catch((error: unknown) => {
        if (!lacksLinks(error)) throw error;
        return copyFile(path, target, constants.COPYFILE_EXCL);
      });
    },
    takeBack: async (target) => {
      if (otherUser) await chmod(target, 0o600);
      await unlink(target);
    },
  };
}
