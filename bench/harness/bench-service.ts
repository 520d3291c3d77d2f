import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { serviceDataSource } from '../../src/ops/service-database.js';
import { wireTenants, type Tenants } from '../../src/ops/tenants.js';
import type { Home } from '../../src/base/config/home.js';
import { row } from '../../src/database/sql.js';
import { readMasterKey } from '../../src/http/auth/secrets.js';
import { openDatabase } from '../../src/database/postgres/provision.js';
import { program } from '../../testkit/command.js';
import { provision, report } from '../private-service.js';
import { seedUser, seedUsers, type Seed } from '../seeding.js';
import { smallImages, tableOf } from './table.js';

export interface BenchUser {
  readonly id: string;
  readonly platformId: string;
  readonly images: number;
  /** URL of the user's images. */
  readonly url: string;
  readonly headers: { readonly Authorization: string };
}

const nameOf = (images: number): string => `bench ${images}`;

/** A service in a separate process, as operators run it, with a private database. */
export class BenchService {
  private constructor(
    readonly url: string,
    readonly pid: number,
    readonly home: Home,
    /** URL of the database, for the code that the service is compared with. */
    readonly databaseUrl: string,
    readonly db: DataSource,
    private readonly tenants: Tenants,
    /** Milliseconds from the start of the program until it served. */
    readonly startMs: number,
    readonly stop: () => Promise<void>,
  ) {}

  /**
   * @param dir of the home; data seeded by an earlier run is reused.
   * @param flags for `serve`.
   */
  static async open(dir: string, flags: readonly string[] = []): Promise<BenchService> {
    await mkdir(dir, { recursive: true });
    const { home, config } = await provision(dir);
    const database = await openDatabase({ home, url: undefined, report });
    const db = await serviceDataSource(database.url, config).initialize();
    const tenants = wireTenants(db, config, await readMasterKey(home));
    const began = performance.now();
    const { child, url } = await serve(dir, flags);
    const startMs = performance.now() - began;
    const stop = async (): Promise<void> => {
      await db.destroy();
      await database.close();
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    };
    return new BenchService(url, child.pid ?? 0, home, database.url, db, tenants, startMs, stop);
  }

  /** A user with that many images: rows without objects, seeded if missing. */
  async user(images: number): Promise<BenchUser> {
    const { id, platformId } = (await this.#find(images)) ?? (await this.#create(images));
    const { access_token: token } = await this.tenants.users.issueTokens(id);
    return {
      id,
      platformId,
      images,
      url: `${this.url}/api/v1/users/${id}/images`,
      headers: { Authorization: `User ${token}` },
    };
  }

  /** The largest user and the one with 10,000 images in a table of `rows` images, seeded if missing. */
  async table(rows: number): Promise<{ largest: BenchUser; small: BenchUser }> {
    const { largest, others } = tableOf(rows);
    const small = Math.min(smallImages, largest);
    if (!(await this.#find(largest))) {
      report(`Creating ${rows} images of ${others.length + 1 + Number(small < largest)} users`);
      const platform = await this.tenants.platforms.create();
      const named = [...new Set([largest, small])].map((images) => ({
        images,
        name: nameOf(images),
      }));
      const neighbors = others.map((images, n) => ({ images, name: `neighbor ${n}` }));
      const seeds: Seed[] = [];
      for (const { images, name } of [...named, ...neighbors]) {
        const { user_id: userId } = await this.tenants.users.create(platform.id, name);
        seeds.push({ userId, images });
      }
      await seedUsers(this.db, seeds, report);
    }
    return { largest: await this.user(largest), small: await this.user(small) };
  }

  /** The folder of a user with the most images, or the top level. */
  async largestFolder({ id }: BenchUser): Promise<string> {
    const found = await row<{ id: string }>(
      this.db,
      `SELECT folder_id AS id FROM folder_totals WHERE user_id = $1
       ORDER BY active_images + trashed_images DESC LIMIT 1`,
      [id],
    );
    return found?.id ?? 'root';
  }

  /** Headers of a platform's requests. */
  async asPlatform(id: string): Promise<{ readonly Authorization: string }> {
    const { access_token: token } = await this.tenants.platforms.issueTokens(id);
    return { Authorization: `Platform ${token}` };
  }

  #find(images: number): Promise<{ id: string; platformId: string } | undefined> {
    return row(
      this.db,
      `SELECT id, platform_id AS "platformId" FROM users WHERE platform_user_id = $1`,
      [nameOf(images)],
    );
  }

  async #create(images: number): Promise<{ id: string; platformId: string }> {
    const platform = await this.tenants.platforms.create();
    const { user_id: id } = await this.tenants.users.create(platform.id, nameOf(images));
    if (images > 0) {
      report(`Creating ${images} images`);
      await seedUser(this.db, { userId: id, images });
      // Their bytes exceed the usual quota, which memos count against, too.
      await this.db.query('UPDATE users SET max_storage_bytes = 1e15 WHERE id = $1', [id]);
    }
    return { id, platformId: platform.id };
  }
}

/** Starts `imgstore serve`, with its log in a file, and waits until it serves. */
async function serve(
  dir: string,
  flags: readonly string[],
): Promise<{ child: ChildProcess; url: string }> {
  const log = openSync(join(dir, 'serve.log'), 'a');
  const args = ['serve', '--home', dir, '--port', '0', '--json', ...flags];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', log] });
  closeSync(log);
  let document = '';
  const { stdout } = child;
  if (!stdout) throw new Error('stdout is not piped');
  for await (const chunk of stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    document += chunk as string;
    if (document.endsWith('\n}\n')) break;
  }
  stdout.resume();
  const { address: url } = JSON.parse(document || '{}') as { address?: string };
  if (url === undefined) throw new Error(`imgstore serve did not start; see ${dir}/serve.log`);
  return { child, url };
}
