import type { Config } from '../config/options.js';

/** What an HTTP process needs to begin. Sent over the channel, since it contains secrets. */
export interface Begin {
  readonly homeDir: string;
  readonly configFile: string;
  /** Its share of the connections is set already. */
  readonly config: Config;
  readonly databaseUrl: string;
  readonly port: number;
  /** Which of the node's HTTP processes it is, counted from 1. */
  readonly number: number;
}

/** A process's share of a limit of the node. */
const share = (limit: number, processes: number, least: number): number =>
  Math.max(Math.ceil(limit / processes), least);

/** Fewer connections to the database would let one request of a user wait for another of theirs. */
const leastConnections = 4;

/** The settings of each of several processes. */
export const shareOf = (config: Config, processes: number): Config => ({
  ...config,
  'limits.max_connections': share(config['limits.max_connections'], processes, 1),
  'database.pool_size': share(config['database.pool_size'], processes, leastConnections),
});
