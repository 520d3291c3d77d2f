// Podman and Buildah of the distribution, with a storage of their own and the network of the machine.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../src/base/os/run.js';
import { imageBase, imageSuite, installNode } from '../package/node-binary.js';
import { makeDebian, mustRun } from '../package/throwaway-debian.js';
import { root } from '../package/tree.js';

/** The CA certificates trusted by this machine, possibly more than those of a new Debian. */
const trusted = 'etc/ssl/certs/ca-certificates.crt';

/** The user `node` of the official image. */
export const nodeUser = 1000;

/** Like in compose.yaml; and limits that a machine which is itself a container can set. */
const confined = ['--cap-drop=ALL', '--security-opt=no-new-privileges'].concat([
  '--ulimit=nofile=4096:4096',
  '--ulimit=nproc=4096:4096',
  '--network=host',
]);

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Names or folders of the machine, by paths in the container. */
  readonly volumes?: Readonly<Record<string, string>>;
}

export class Engine {
  /** @param work an empty folder for images, containers and volumes. */
  constructor(private readonly work: string) {}

  /** Runs a command of Podman. @returns exit code and output. */
  command(...args: readonly string[]): ReturnType<typeof run> {
    const storage = [`--root=${join(this.work, 'storage')}`, `--runroot=${join(this.work, 'run')}`];
    // runc takes every layout of cgroups; the other runtime of the distribution does not.
    const options = ['--storage-driver=overlay', '--runtime=runc', '--log-level=error'];
    return run('podman', [...storage, ...options, ...args]);
  }

  /** The same. @returns stdout. @throws Error with its output if it fails. */
  async must(...args: readonly string[]): Promise<string> {
    const { code, stdout, output } = await this.command(...args);
    if (code !== 0) throw new Error(`podman ${args.join(' ')} failed:\n${output}`);
    return stdout;
  }

  /**
   * Makes a base with the name, Debian, Node.js and npm of the official one, and builds on it.
   * @param arch for another than this machine's, which QEMU then stands in for.
   */
  async build(targets: Readonly<Record<string, string>>, arch = process.arch): Promise<void> {
    await this.#makeBase(`docker.io/library/${imageBase}`, arch);
    const text = readFileSync(join(root, 'docker/Dockerfile'), 'utf8');
    // Buildah knows this option from 1.33 on, which Debian 12 does not have.
    const dockerfile = join(this.work, 'Dockerfile');
    writeFileSync(dockerfile, text.replace('--start-interval=1s ', ''));
    const options = ['--format=docker', '--isolation=chroot', '--network=host', '--pull=never'];
    if (arch !== process.arch) options.push(`--arch=${arch}`);
    for (const [target, name] of Object.entries(targets)) {
      const what = [`--file=${dockerfile}`, `--target=${target}`, `--tag=${name}`, root];
      await this.must('build', ...options, ...what);
    }
  }

  async #makeBase(name: string, arch: string): Promise<void> {
    const base = join(this.work, 'base');
    const foreign = arch !== process.arch;
    await makeDebian(base, imageSuite, [], foreign ? [`--arch=${arch}`] : []);
    await mustRun('chroot', base, 'useradd', '--uid', String(nodeUser), '--create-home', 'node');
    const parcel = join(this.work, 'node');
    const node = installNode(parcel, arch);
    await mustRun('npm', 'install', '--prefix', parcel, '--no-audit', '--no-fund', 'npm@11');
    const modules = join(parcel, 'node_modules');
    cpSync(join(node, 'bin/node'), join(base, 'usr/local/bin/node'));
    const npm = 'usr/local/lib/node_modules/npm';
    mkdirSync(join(base, 'usr/local/lib/node_modules'), { recursive: true });
    await mustRun('cp', '--archive', join(modules, 'npm'), join(base, npm));
    for (const word of ['npm', 'npx']) {
      await mustRun('ln', '-s', `/${npm}/bin/${word}-cli.js`, join(base, 'usr/local/bin', word));
    }
    cpSync(join('/', trusted), join(base, trusted));
    const archive = join(this.work, 'base.tar');
    await mustRun('tar', '--create', `--file=${archive}`, `--directory=${base}`, '.');
    const certificates = `ENV NODE_EXTRA_CA_CERTS=/${trusted}`;
    const options = [`--change=${certificates}`, ...(foreign ? [`--arch=${arch}`] : [])];
    await this.must('import', ...options, archive, name);
    await mustRun('rm', '-r', base, archive, parcel);
  }

  /** A container that runs on. */
  async start(name: string, image: string, options: RunOptions): Promise<Container> {
    await this.must(
      'run',
      '--detach',
      '--no-healthcheck',
      `--name=${name}`,
      ...flags(options),
      image,
    );
    return new Container(this, name, image);
  }

  /** A container for one command of the entrypoint. @returns exit code and output. */
  once(image: string, options: RunOptions, ...argv: readonly string[]): ReturnType<typeof run> {
    return this.command('run', '--rm', '--no-healthcheck', ...flags(options), image, ...argv);
  }
}

export class Container {
  constructor(
    private readonly engine: Engine,
    readonly name: string,
    private readonly image: string,
  ) {}

  inside(...argv: readonly string[]): ReturnType<typeof run> {
    return this.engine.command('exec', this.name, ...argv);
  }

  /** Runs the health check of the image. */
  async health(): Promise<number> {
    const format = '--format={{json .Config.Healthcheck.Test}}';
    const shown = await this.engine.must('image', 'inspect', format, this.image);
    const [, ...argv] = JSON.parse(shown) as string[];
    return (await this.inside(...argv)).code;
  }

  async running(): Promise<boolean> {
    const state = ['container', 'inspect', '--format={{.State.Running}}', this.name];
    return (await this.engine.must(...state)).trim() === 'true';
  }

  /** Everything that it has printed. */
  async log(): Promise<string> {
    return (await this.engine.command('logs', this.name)).output;
  }

  /** Stops it like an engine. @returns its exit code. */
  async stop(): Promise<number> {
    await this.engine.must('stop', '--time=160', this.name);
    return this.ended();
  }

  /** Waits until it ends by itself. @returns its exit code. */
  async ended(): Promise<number> {
    return Number(await this.engine.must('wait', this.name));
  }

  /** As after a power cut. */
  async killAndStart(): Promise<void> {
    await this.engine.must('kill', '--signal=KILL', this.name);
    await this.ended();
    await this.engine.must('start', this.name);
  }
}

const flags = ({ env = {}, volumes = {} }: RunOptions): string[] => [
  ...confined,
  ...Object.entries(env).map(([name, value]) => `--env=${name}=${value}`),
  ...Object.entries(volumes).map(([path, volume]) => `--volume=${volume}:${path}`),
];
