import assert from 'node:assert/strict';
import { cp, rm, symlink } from 'node:fs/promises';
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

export interface TestPlatform {
  readonly id: string;
  readonly token: string;
}

export interface TestUser {
  readonly id: string;
  readonly platformId: string;
  readonly token: string;
  /** Path of the user's images. */
  readonly images: string;
}

/** A node that can be stopped, and started again at the same URL. */
export interface TestNode {
  readonly url: string;
  readonly home: Home;
  stop(): Promise<void>;
  /** @param changes to its settings. */
  start(changes?: Partial<Config>): Promise<void>;
}

/** A complete service: database, home, imaging process, HTTP on a free port. */
export class TestService {
  #names = 0;

  constructor(
    readonly service: RunningService,
    readonly home: Home,
    /** For inspecting state behind the API. */
    readonly db: DataSource,
    readonly client: Client,
    private readonly config: Config,
    private readonly scope: Scope,
  ) {}

  /** Starts a second node. @returns a client of it. */
  async secondNode(): Promise<Client> {
    return openClient((await this.node()).url);
  }

  /** Starts a second node with the same database, master key, and store. */
  async node(): Promise<TestNode> {
    const home = await temporaryHome(this.scope);
    await cp(this.home.secrets, home.secrets, { recursive: true });
    await symlink(this.home.store, home.store);
    await initializeHome(home, this.config);
    let node = await startService(home, this.config, () => undefined);
    this.scope.after(() => node.stop());
    const { url } = node;
    const there = { ...this.config, port: Number(new URL(url).port) };
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

  async platform(name = `platform ${(this.#names += 1)}`): Promise<TestPlatform> {
    const { id, access_token: token } = await this.service.tenants.platforms.create(name);
    return { id, token };
  }

  async user(platform?: TestPlatform): Promise<TestUser> {
    const { id: platformId } = platform ?? (await this.platform());
    const name = `user ${(this.#names += 1)}`;
    const { user_id: id, access_token: token } = await this.service.tenants.users.create(
      platformId,
      name,
    );
    return { id, platformId, token, images: `/api/v1/users/${id}/images` };
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

/** Warnings of listener leaks in this process. */
const leaks: string[] = [];
process.on('warning', ({ name, message }) => {
  if (name === 'MaxListenersExceededWarning') leaks.push(message);
});

/**
 * Starts a service. Await it at the top of a test file, with `{ after }` of node:test as the scope.
 * @param settings values by key, as flags would set them.
 */
export async function testService(
  parent: Scope,
  settings: Partial<Record<OptionKey, string>> = {},
): Promise<TestService> {
  const scope = lastFirst(parent);
  scope.after(async () => assert.deepEqual(leaks, []));
  const url = settings['database.url'] ?? (await testDatabase(scope)).url;
  const home = await temporaryHome(scope);
  const flags = {
    port: '0',
    workers: '1',
    timezone: 'Asia/Seoul',
    'database.url': url,
    'log.level': 'error',
    ...settings,
  };
  const { values: config } = await loadSettings({ flags, env: {}, home });
  await initializeHome(home, config);
  const service = await startService(home, config, () => undefined);
  scope.after(() => service.stop());
  const db = await serviceDataSource(url, config).initialize();
  scope.after(() => db.destroy());
  return new TestService(service, home, db, openClient(service.url), config, scope);
}
