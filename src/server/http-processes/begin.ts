import type { Config } from '../../base/config/options.js';

/** The parameters of an HTTP process. Sent over the channel, since they include secrets. */
export interface Begin {
  readonly homeDir: string;
  readonly configFile: string;
  /** With the process's share of the connections already set. */
  readonly config: Config;
  readonly databaseUrl: string;
  readonly port: number;
  /** Number of the process among the node's HTTP processes, from 1. */
  readonly number: number;
}

/** A process's share of a limit of the node. */
const share = (limit: number, processes: number, min: number): number =>
  Math.max(Math.ceil(limit / processes), min);

/** With fewer database connections, requests of one user could block each other. */
const minConnections = 4;

/** The settings of each process, with the limits of the node divided among them. */
export const shareOf = (config: Config, processes: number): Config => ({
  ...config,
  'limits.max_connections': share(config['limits.max_connections'], processes, 1),
  'database.pool_size': share(config['database.pool_size'], processes, minConnections),
});
