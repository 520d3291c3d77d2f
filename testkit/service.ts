import assert from 'node:assert/strict';
import { cp, rm, symlink } from 'node:fs/promises';
import { after } from 'node:test';
import type { DataSource } from 'typeorm';
import { serviceDataSource } from '../src/ops/service-database.js';
import { Home } from '../src/base/config/home.js';
import { loadSettings } from '../src/base/config/load.js';
import type { Config, OptionKey } from '../src/base/config/options.js';
import { startService, type RunningService } from '../src/server/service.js';
import { Client } from './client.js';
import { testDatabase } from './database.js';
import { DocumentedAnswers, readDocument } from './documented.js';
import { initializeHome } from './initialize-home.js';
import { lastFirst, type Scope } from './scope.js';
import { temporaryDirectory } from './temporary.js';
import { Member, Tenant } from './world.js';

/** A node that can be stopped, and started again at the same URL. */
export interface TestNode {
  readonly url: string;
  readonly home: Home;
  stop(): Promise<void>;
  /** @param changes to its settings. */
  start(changes?: Partial<Config>): Promise<void>;
}

/** A running service and what belongs to it. */
interface Running {
  readonly service: RunningService;
  readonly home: Home;
  readonly db: DataSource;
  readonly config: Config;
  /** Ends with the service. */
  readonly scope: Scope;
  second?: Promise<TestNode>;
}

/** Platforms and users get a name of their own on every service of this process. */
let names = 0;

/** A complete service: database, home, imaging process, HTTP on a free port. */
export class TestService {
  readonly service: RunningService;
  readonly home: Home;
  /** For inspecting state behind the API. */
  readonly db: DataSource;
  readonly client: Client;
  /** The ids of the platforms of this test file; undefined if all are. */
  readonly platforms: string[] | undefined;

  constructor(
    private readonly running: Running,
    shared: boolean,
  ) {
    this.service = running.service;
    this.home = running.home;
    this.db = running.db;
    this.client = openClient(this.service.url);
    this.platforms = shared ? [] : undefined;
  }

  /** @returns a client of a second node, which runs until the service ends. */
  async secondNode(): Promise<Client> {
    return openClient((await (this.running.second ??= this.node())).url);
  }

  /** Starts another node with the same database, master key, and store. */
  async node(): Promise<TestNode> {
    const { home: first, config, scope } = this.running;
    const home = await temporaryHome(scope);
    await cp(first.secrets, home.secrets, { recursive: true });
    await symlink(first.store, home.store);
    await initializeHome(home, config);
    let node = await startService(home, config, () => undefined);
    scope.after(() => node.stop());
    const { url } = node;
    const there = { ...config, port: Number(new URL(url).port) };
    return {
      url,
      home,
      stop: () => node.stop(),
      start: async (changes = {}) => {
        node = await startService(home, { ...there, ...changes }, () => undefined);
      },
    };
  }

  async adminToken(): Promise<string> {
    return (await this.service.tenants.tokens.issue({})).access_token;
  }

  async platform(name = `platform ${(names += 1)}`): Promise<Tenant> {
    const record = await this.service.tenants.platforms.create(name);
    this.platforms?.push(record.id);
    return new Tenant(this.client, record);
  }

  /** @param platform a new one unless given. */
  async user(platform?: Tenant): Promise<Member> {
    const tenant = platform ?? (await this.platform());
    const name = `user ${(names += 1)}`;
    return new Member(tenant, await this.service.tenants.users.create(tenant.id, name));
  }
}

async function temporaryHome(scope: Scope): Promise<Home> {
  const dir = await temporaryDirectory('home');
  scope.after(() => rm(dir, { recursive: true, force: true }));
  return new Home(dir);
}

/** A client that fails on answers that the OpenAPI document does not list. */
const openClient = (url: string): Client =>
  new Client(url, new DocumentedAnswers(() => readDocument(url)));

// A process of tests has many services, and each has an imaging process whose stderr is piped to its own.
process.stderr.setMaxListeners(100);

/** Warnings of listener leaks in this process. */
const leaks: string[] = [];
process.on('warning', ({ name, message }) => {
  if (name === 'MaxListenersExceededWarning') leaks.push(message);
});

let shared: Promise<Running> | undefined;

/**
 * The service that all test files of this process share; each has platforms of its own. Await it at the
 * top of the file. What changes settings, keys or the state of the whole service, runs its jobs, or
 * looks at all rows of a table, belongs on `ownService`.
 */
export async function testService(): Promise<TestService> {
  shared ??= start({ after });
  return new TestService(await shared, true);
}

/**
 * Starts a service. @param parent a test, or a file (`{ after }` of node:test).
 * @param settings values by key, as flags would set them.
 */
export async function ownService(
  parent: Scope,
  settings: Partial<Record<OptionKey, string>> = {},
): Promise<TestService> {
  return new TestService(await start(parent, settings), false);
}

/** What the service does at certain times of the day would change what a test of that minute sees. */
const withoutNights = {
  'trash.retention_days': '0',
  'changes.retention_days': '0',
  'audit.retention_days': '0',
  'upload_sets.retention_days': '0',
  'verify.bytes_per_night': '0',
};

async function start(
  parent: Scope,
  settings: Partial<Record<OptionKey, string>> = {},
): Promise<Running> {
  const scope = lastFirst(parent);
  scope.after(async () => assert.deepEqual(leaks, []));
  const url = settings['database.url'] ?? (await testDatabase(scope)).url;
  const home = await temporaryHome(scope);
  const flags = {
    port: '0',
    workers: '1',
    timezone: 'Asia/Seoul',
    'database.url': url,
    'database.pool_size': '6',
    'imaging.threads': '1',
    'log.level': 'error',
    ...withoutNights,
    ...settings,
  };
  const { values: config } = await loadSettings({ flags, env: {}, home });
  await initializeHome(home, config);
  const service = await startService(home, config, () => undefined);
  scope.after(() => service.stop());
  // Many rows take a slow machine longer than a statement of production may.
  const unhurried = { ...config, 'database.statement_timeout': 0 };
  const db = await serviceDataSource(url, unhurried).initialize();
  scope.after(() => db.destroy());
  return { service, home, db, config, scope };
}
