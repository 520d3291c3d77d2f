import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type { Home } from '../../base/config/home.js';
import type { Settings } from '../../base/config/load.js';
import type { Config } from '../../base/config/options.js';
import { commandLine, shellWord } from '../../base/os/command-line.js';
import { secondMs } from '../../base/units.js';
import { readInstance, type Instance } from '../../database/instance.js';
import { clusterFiles } from '../../database/postgres/cluster-files.js';
import { databaseName, superuser } from '../../database/postgres/connect.js';
import { openDatabase } from '../../database/postgres/provision.js';
import type { ObjectStore } from '../../store/port.js';
import { findService, type ServiceHolder } from '../home.js';
import { connectTo, type ConnectedDatabase } from '../service-database.js';
import { openerOf } from '../stores.js';

/** Input of the command. */
interface DoctorParts {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  /** The effective settings. @throws OperatorError with all mistakes. */
  readonly loadSettings: () => Promise<Settings>;
  /** @throws OperatorError if the home or a specified file is missing. */
  readonly requireHome: () => Promise<void>;
  readonly interrupted: AbortSignal;
}

/** Connections that the checks share: there may be few left. */
const connections = 3;

/** Resources of the checks. Nothing is opened before a check requests it. */
export class DoctorContext {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;

  /** A home that was initialized once. */
  readonly initialized = new Needed('the home is not initialized', () => this.parts.requireHome());

  readonly settings = new Needed('the settings cannot be read', async () => {
    await this.initialized.get();
    return this.parts.loadSettings();
  });

  /** A database whose server answers; it may lack all tables. */
  readonly database = new Needed('the database cannot be used', () => this.#openDatabase());

  /** The installation, according to the database. */
  readonly instance = new Needed<Instance>('the database is not initialized', async () =>
    readInstance((await this.database.get()).db),
  );

  readonly store = new Needed<ObjectStore>('the object store cannot be used', async () => {
    const { store, id } = await this.instance.get();
    return openerOf(this.home, await this.config())(store, id);
  });

  readonly service = new Needed<FoundService>('the service is not running', () =>
    this.#findService(),
  );

  constructor(private readonly parts: DoctorParts) {
    this.home = parts.home;
    this.env = parts.env;
  }

  /** @throws Skip */
  async config(): Promise<Config> {
    return (await this.settings.get()).values;
  }

  /** @throws Skip */
  async db(): Promise<DataSource> {
    return (await this.database.get()).db;
  }

  /** A command for this home, ready to be pasted. */
  command(...words: readonly string[]): string {
    const { dir, configFile, configNamed } = this.home;
    return commandLine(...words, '--home', dir, ...(configNamed ? ['--config', configFile] : []));
  }

  /** A command, ready to be pasted, that runs statements as a role that may change the server. */
  async psql(statements: readonly string[]): Promise<string> {
    const words = statements.map((statement) => `-c ${shellWord(statement)}`).join(' ');
    const { kind } = (await this.database.get()).server;
    if (kind === 'external') {
      return `psql "$(${this.command('config', 'get', 'database.url')})" ${words} (as a role that may)`;
    }
    const { password, socketDir } = clusterFiles(this.home);
    const secret = `PGPASSWORD=$(cat ${shellWord(password)})`;
    return `${secret} psql -h ${shellWord(socketDir)} -U ${superuser} -d ${databaseName} ${words}`;
  }

  /** Aborted when the command must stop. */
  get interrupted(): AbortSignal {
    return this.parts.interrupted;
  }

  close(): Promise<void> {
    return this.database.release(({ close }) => close());
  }

  async #openDatabase(): Promise<ConnectedDatabase> {
    const config = await this.config();
    const [url, signal] = [config['database.url'], this.interrupted];
    const server = await openDatabase({ home: this.home, url, report: () => undefined, signal });
    return connectTo(server, { ...config, 'database.pool_size': connections });
  }

  async #findService(): Promise<FoundService> {
    const holder = await findService(this.home);
    if (!holder) throw new NotRunning();
    const { url } = holder;
    if (url === undefined) throw new Skip('the service is still starting');
    return { ...holder, url };
  }
}

type FoundService = ServiceHolder & { readonly url: string };

/** Thrown by a check that cannot be made; the reason completes "Skipped because". */
export class Skip extends Error {
  override readonly name = 'Skip';
}

/** Why checks of a running service are skipped. */
export class NotRunning extends Skip {
  constructor() {
    super('the service is not running');
  }
}

/**
 * Shorter than the limit of a check, so that checks waiting for a broken resource are skipped and
 * do not time out.
 */
const limitMs = 25 * secondMs;

/** A resource that several checks share, opened by the first of them. */
class Needed<T> {
  #opening: Promise<T> | undefined;
  #inTime: Promise<T> | undefined;

  /** @param absence the reason why checks are skipped without it. */
  constructor(
    private readonly absence: string,
    private readonly begin: () => Promise<T>,
  ) {}

  /** For the check that reports what is wrong with it. @throws what opening it throws. */
  open(): Promise<T> {
    this.#opening ??= this.begin();
    this.#inTime ??= withinTime(limitMs, this.#opening);
    return this.#inTime;
  }

  /** For all other checks. @throws Skip */
  async get(): Promise<T> {
    try {
      return await this.open();
    } catch (error) {
      throw error instanceof Skip ? error : new Skip(this.absence);
    }
  }

  /** For checks to which it makes a difference. @returns undefined without it. */
  find(): Promise<T | undefined> {
    return this.open().catch(() => undefined);
  }

  /** Closes it if it was opened, even if that is still in progress. */
  async release(end: (opened: T) => Promise<void>): Promise<void> {
    const opened = await this.#opening?.then(
      (value) => ({ value }),
      () => undefined,
    );
    if (opened) await end(opened.value);
  }
}

/** Thrown if an answer takes too long. */
export class TooLate extends Error {
  override readonly name = 'TooLate';
  constructor(readonly ms: number) {
    super(`no answer within ${ms} ms`);
  }
}

/** Waits for work no longer than this; the work itself continues. @throws TooLate */
export async function withinTime<T>(
  ms: number,
  work: Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const done = new AbortController();
  const stop = signal ? AbortSignal.any([done.signal, signal]) : done.signal;
  const late = delay(ms, undefined, { signal: stop }).then(() => Promise.reject(new TooLate(ms)));
  work.catch(() => undefined); // it may fail after the timeout
  try {
    return await Promise.race([work, late]);
  } finally {
    done.abort();
    late.catch(() => undefined);
  }
}
