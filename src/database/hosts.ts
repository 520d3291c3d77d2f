import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { urlsOfHosts } from '../base/config/database-hosts.js';
import { guarded, ignore } from '../base/guarded.js';
import { runOutside } from '../base/telemetry/context.js';
import { secondMs } from '../base/units.js';
import { isLoginRejected } from './connection-error.js';
import { explainTls, withLibpqModes } from './tls.js';

/** How long a host may take to accept a session, and to answer, before it is passed over. */
const answerMs = 2 * secondMs;
/** How much longer than the first host that takes writes the others may take. */
const graceMs = 200;
/** How often the host in use is asked whether it still takes writes. */
const watchMs = secondMs;
/**
 * Every so many times, all hosts are asked: one may have been promoted although the one in use has not
 * noticed, cut off from whatever would demote it.
 */
const roundsUntilAll = 5;

/**
 * A promotion begins a new timeline: of two servers that take writes, the one with the older
 * timeline is a former primary that came back. Its hexadecimal digits sort like the number.
 */
const question = `
  SELECT current_setting('transaction_read_only')::boolean AS read_only,
         CASE WHEN NOT pg_is_in_recovery()
              THEN left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END AS timeline`;

/** The code of statements that would write where nothing can be written. */
const readOnly = '25006';

/** A session that asks a host whether it takes writes. */
class Probe {
  private constructor(
    /** Names this host alone. */
    readonly url: string,
    private readonly client: pg.Client,
    readonly timeline: string,
  ) {}

  /** @throws Error that names the host if it does not answer, or takes no writes. */
  static async open(url: string): Promise<Probe> {
    const client = new pg.Client({
      connectionString: withLibpqModes(url),
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
      application_name: 'imgstore',
    });
    client.on('error', () => undefined); // what awaits it fails as well
    try {
      await client.connect();
      return new Probe(url, client, await timelineOf(client));
    } catch (cause) {
      end(client);
      const { message, code } = cause as Error & { code?: unknown };
      throw Object.assign(new Error(`${client.host}:${client.port}: ${message}`, { cause }), {
        code,
      });
    }
  }

  /** Where it is connected to, as fields of a client. */
  get address(): Pick<pg.Client, 'host' | 'port'> {
    const { host, port } = this.client;
    return { host, port };
  }

  get name(): string {
    return `${this.client.host}:${this.client.port}`;
  }

  takesWrites(): Promise<boolean> {
    return timelineOf(this.client).then(
      () => true,
      () => false,
    );
  }

  close(): void {
    end(this.client);
  }
}

const end = (client: pg.Client): void => void client.end().catch(() => undefined);

async function timelineOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ read_only: boolean; timeline: string | null }>(question);
  const [answer] = rows;
  if (answer?.timeline && !answer.read_only) return answer.timeline;
  throw Object.assign(new Error('it accepts no changes'), { code: readOnly });
}

/**
 * Asks all hosts at once, and those that take no writes again while another has not answered: one of
 * them may be promoted meanwhile. @throws Error with what each said, if none takes writes.
 */
async function probe(urls: readonly string[]): Promise<Probe> {
  const found: Probe[] = [];
  const silent = new Set(urls);
  const ask = async (url: string): Promise<void> => {
    while (found.length === 0) {
      try {
        found.push(await Probe.open(url));
      } catch (error) {
        silent.delete(url);
        if (silent.size === 0) throw error;
        await delay(graceMs);
      }
    }
  };
  const asked = urls.map(ask);
  const all = Promise.allSettled(asked);
  await Promise.any(asked).catch((none: unknown) => {
    throw noneTakesWrites((none as AggregateError).errors as Error[]);
  });
  await Promise.race([all, delay(graceMs)]);
  const best = found.reduce((one, other) => (other.timeline > one.timeline ? other : one));
  void all.then(() => found.filter((other) => other !== best).forEach((other) => other.close()));
  return best;
}

/** @param errors those of all hosts. */
function noneTakesWrites(errors: readonly Error[]): unknown {
  const reasons = errors.map(({ cause }) => cause);
  // No retry can fix these.
  if (reasons.every((reason) => isLoginRejected(reason) || explainTls(reason))) return reasons[0];
  const codes = errors.map((error) => (error as { code?: unknown }).code);
  const code = codes.includes(startingUp) ? startingUp : '08001';
  const said = errors.map(({ message }) => message).join('; ');
  return Object.assign(new Error(`no host takes writes: ${said}`), { code });
}

/** The code of a server that will answer soon. */
export const startingUp = '57P03';

/**
 * The URL of the host that takes writes, of a URL that may name several.
 * @throws Error with what each host said, if none does.
 */
export async function urlOfWriter(url: string): Promise<string> {
  const urls = urlsOfHosts(url);
  if (urls.length === 1) return url;
  const found = await probe(urls);
  found.close();
  return found.url;
}

export interface HostState {
  /** Names this host alone. */
  readonly url: string;
  readonly state: 'takes writes' | 'stands by' | 'down';
  /** Its name; of one that is down, also the reason. */
  readonly text: string;
}

/** The state of each host of a URL. */
export const statesOfHosts = (url: string): Promise<HostState[]> =>
  Promise.all(urlsOfHosts(url).map(stateOfHost));

async function stateOfHost(url: string): Promise<HostState> {
  try {
    const found = await Probe.open(url);
    found.close();
    return { url, state: 'takes writes', text: found.name };
  } catch (error) {
    const { message, code } = error as Error & { code?: unknown };
    if (code !== readOnly) return { url, state: 'down', text: message };
    return { url, state: 'stands by', text: message.split(': ', 1)[0] ?? '' };
  }
}

export interface HostsLogger {
  info(message: string, fields: Record<string, unknown>): unknown;
  warn(message: string, fields: Record<string, unknown>): unknown;
}

/**
 * Several servers of a database, of which one at a time takes writes. All sessions are on that one:
 * while there are any, it is watched, and once another takes its place, they end, whatever they were
 * doing, and new ones go there.
 */
export class Hosts {
  /** With the name of their host, once they have one. */
  readonly #sessions = new Map<pg.Client, string | undefined>();
  /** On the host in use; also after that has failed, until another is found. */
  #inUse: Probe | undefined;
  #search: Promise<Probe> | undefined;
  #check: Promise<void> | undefined;
  #watching = false;
  /** Whether the host in use took no writes when it was asked last. */
  #isDoubted = false;
  /** Of the host used last. */
  #timeline = '';
  #name: string | undefined;
  /** Whether it was logged that no host takes writes. */
  #lost = false;

  /** @param urls one of each host. */
  constructor(
    private readonly urls: readonly string[],
    private readonly logger?: HostsLogger,
  ) {}

  /** The host used last; undefined before the first session. */
  get name(): string | undefined {
    return this.#name;
  }

  /** Points a client that is about to connect to the host in use. @throws Error if there is none. */
  async direct(client: pg.Client): Promise<void> {
    this.#sessions.set(client, undefined);
    try {
      const { address, name } = await this.#host();
      Object.assign(client, address);
      this.#sessions.set(client, name);
    } catch (error) {
      this.#forget(client);
      throw error;
    }
    client.once(
      'end',
      guarded(ignore, () => this.#forget(client)),
    );
    if (!this.#watching) void runOutside(() => this.#watch());
  }

  /** Looks for another host if the one in use takes no writes. */
  check(): Promise<void> {
    return (this.#check ??= this.#findUnlessWriting().finally(() => (this.#check = undefined)));
  }

  async #findUnlessWriting(): Promise<void> {
    if (await this.#inUse?.takesWrites()) return;
    this.#isDoubted = true;
    await this.#find().catch(() => undefined); // it is logged
  }

  async #host(): Promise<Probe> {
    if (this.#inUse && !this.#isDoubted) return this.#inUse;
    try {
      return await this.#find();
    } catch (error) {
      if (this.#inUse) return this.#inUse;
      throw error;
    }
  }

  #find(): Promise<Probe> {
    return (this.#search ??= probe(this.urls)
      .then((found) => this.#take(found))
      .catch((error: unknown) => {
        const isLost = this.#isDoubted || !this.#inUse;
        if (isLost && !this.#lost) this.logger?.warn((error as Error).message, {});
        this.#lost ||= isLost;
        throw error;
      })
      .finally(() => (this.#search = undefined)));
  }

  #take(found: Probe): Probe {
    const { name, timeline } = found;
    if (timeline < this.#timeline) {
      found.close();
      throw Object.assign(new Error(`no host takes writes: ${name} is a former primary`), {
        code: '08001',
      });
    }
    this.#inUse?.close();
    this.#inUse = found;
    this.#closeIfIdle();
    for (const [client, host] of this.#sessions) {
      if (host !== undefined && host !== name) client.connection.stream.destroy();
    }
    if (this.#lost || (this.#name ?? name) !== name) {
      this.logger?.info('a host of the database takes writes', { host: name });
    }
    [this.#isDoubted, this.#lost, this.#name, this.#timeline] = [false, false, name, timeline];
    return found;
  }

  async #watch(): Promise<void> {
    this.#watching = true;
    for (let round = 1; this.#sessions.size > 0; round += 1) {
      await delay(watchMs, undefined, { ref: false });
      if (round % roundsUntilAll === 0) await this.#find().catch(() => undefined);
      else await this.check();
    }
    this.#watching = false;
  }

  #forget(client: pg.Client): void {
    this.#sessions.delete(client);
    this.#closeIfIdle();
  }

  #closeIfIdle(): void {
    if (this.#sessions.size > 0) return;
    this.#inUse?.close();
    this.#inUse = undefined;
  }
}
