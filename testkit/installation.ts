import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { Home } from '../src/base/config/home.js';
import { PrivateCluster, type Lease } from '../src/database/postgres/cluster.js';
import { ensureEngine } from '../src/database/postgres/ensure-engine.js';
import type { BucketConfig } from '../src/store/s3/bucket.js';
import type { CephShape } from './ceph/config.js';
import { CephStack } from './ceph/stack.js';
import { hosted } from './hosted-command.js';
import { newHome, postmasterPid } from './command.js';
import type { CreatedPlatform, CreatedUser } from './records.js';
import { s3Settings } from './s3.js';
import { serve, type Appliance } from './appliance.js';
import type { Scope } from './scope.js';
import { killNow } from './processes.js';

const whole: CephShape = { monitors: 3, osds: 4, gateways: 2, copies: 3 };

interface InstallationOptions {
  /** Of the Ceph; the largest by default. */
  readonly shape?: CephShape;
  /** Settings of the nodes besides the usual ones. */
  readonly settings?: Record<string, unknown>;
}

/** Three nodes with a disk each, one PostgreSQL, and a Ceph, usually with three copies of each object. */
export class Installation {
  private constructor(
    private readonly scope: Scope,
    readonly ceph: CephStack,
    private readonly database: { readonly home: Home; readonly lease: Lease },
    readonly homes: readonly Home[],
    private readonly nodes: Appliance[],
  ) {}

  static async start(
    scope: Scope,
    { shape = whole, settings = {} }: InstallationOptions = {},
  ): Promise<Installation> {
    const [ceph, database] = await Promise.all([CephStack.start(shape), startDatabase(scope)]);
    scope.after(() => ceph.stop());
    const homes = await nodeHomes(scope, {
      ...s3Settings(bucketOf(ceph)),
      'database.url': database.lease.url,
      ...settings,
    });
    const installation = new Installation(scope, ceph, database, homes, []);
    await Promise.all(homes.map((_, i) => installation.startNode(i)));
    return installation;
  }

  /** The URLs of the nodes, including those of dead ones. */
  get urls(): string[] {
    return this.nodes.map((node) => node.url);
  }

  async startNode(i: number): Promise<void> {
    this.nodes[i] = await serve(this.scope, this.homes[i] as Home);
  }

  async killNode(i: number): Promise<void> {
    await this.nodes[i]?.end('SIGKILL');
  }

  /** Where the objects are. */
  get bucket(): BucketConfig {
    return bucketOf(this.ceph);
  }

  get databaseUrl(): string {
    return this.database.lease.url;
  }

  /** Restarts all nodes and gateways. */
  async allUp(): Promise<void> {
    for (const gateway of ['client.rgw0', 'client.rgw1']) {
      await this.ceph.kill(gateway).catch(() => undefined);
      this.ceph.run(gateway);
    }
    for (const i of this.homes.keys()) {
      await this.killNode(i);
      await this.startNode(i);
    }
  }

  /** The log of the nodes without the entries for unavailable dependencies, which the faults provoke. */
  get log(): string {
    return this.nodes
      .flatMap((node) => node.log.split('\n'))
      .filter((entry) => !entry.includes('"message":"unavailable"'))
      .join('\n');
  }

  /** Kills the database server as a crash of its machine would, and starts it again. */
  async crashDatabase(): Promise<void> {
    const pid = await postmasterPid(this.database.home);
    assert.ok(pid);
    killNow(pid);
    await this.database.lease.revive();
  }

  async command<T>(...args: string[]): Promise<T> {
    const [home] = this.homes as [Home];
    const { code, stdout, stderr, json } = await hosted([...args, '--home', home.dir, '--json']);
    assert.equal(code, 0, stdout + stderr);
    return json<T>();
  }

  async newUser(name: string): Promise<CreatedUser> {
    const { id } = await this.command<CreatedPlatform>(
      'platform',
      'create',
      '--name',
      `of ${name}`,
    );
    return this.command<CreatedUser>(
      'user',
      'create',
      '--platform',
      id,
      '--platform-user-id',
      name,
    );
  }
}

async function startDatabase(scope: Scope): Promise<{ home: Home; lease: Lease }> {
  const dir = await mkdtemp(join(tmpdir(), 'imgstore-demonstration-'));
  scope.after(() => rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  await chmod(dir, 0o755); // for the server's user if this runs as root
  const home = new Home(dir);
  const engine = process.env.IMGSTORE_TEST_ENGINE ?? join(dir, 'engine');
  const cluster = new PrivateCluster(home, () => ensureEngine(engine, () => undefined));
  await cluster.create();
  const lease = await cluster.open();
  scope.after(() => lease.close());
  return { home, lease };
}

const bucketOf = ({ endpoints, keys }: CephStack): BucketConfig => ({
  endpoints,
  bucket: 'imgstore',
  region: 'us-east-1',
  ...keys,
});

/** Creates the first node; the others join with its key. */
async function nodeHomes(scope: Scope, own: Record<string, unknown>): Promise<Home[]> {
  const settings = {
    's3.delivery': 'proxy', // so that nodes, not clients, handle a gateway that dies
    'imaging.threads': 1,
    'log.level': 'error',
    ...own,
  };
  const homes = await Promise.all([1, 2, 3].map(() => newHome(scope)));
  const key = join((homes[0] as Home).dir, 'joining.key');
  for (const [i, home] of homes.entries()) {
    await mkdir(home.dir);
    await writeFile(home.configFile, stringify(settings), { mode: 0o600 });
    const joining = i === 0 ? [] : ['--master-key-file', key];
    const made = await hosted(['init', '--home', home.dir, '--json', ...joining]);
    assert.equal(made.code, 0, made.stdout + made.stderr);
    if (i > 0) continue;
    const exported = await hosted(['keys', 'export', '--home', home.dir]);
    await writeFile(key, exported.stdout, { mode: 0o600 });
  }
  return homes;
}
