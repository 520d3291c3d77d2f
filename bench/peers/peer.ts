import type { Connection } from './empty-database.js';
import type { Call } from '../harness/load.js';

/** Another image store from npm, installed into a separate directory at run time. */
export interface Peer {
  readonly name: string;
  /** Arguments of `npm install`: the latest versions that run on imgstore's oldest Node.js. */
  readonly packages: readonly string[];
  readonly license: string;
  /** @returns the running store on 127.0.0.1, with a generated administrator. */
  readonly start: (where: Where) => Promise<RunningPeer>;
}

export interface Where {
  /** Directory of the installation. */
  readonly dir: string;
  /** An empty database on imgstore's server, with the same settings. */
  readonly database: Connection;
  readonly port: number;
}

export interface RunningPeer {
  /** An upload that completes after all renditions are made. */
  readonly upload: (file: string) => Call;
  /** The status of a successful upload. */
  readonly uploaded: number;
  /** A page of the newest files with the data for their URLs. */
  readonly page: (size: number) => Call;
  readonly thumbnail: (picture: Uploaded) => Call;
  readonly original: (picture: Uploaded) => Call;
  /** Changes a text of an uploaded picture. */
  readonly change: (id: string, text: string) => Call;
  /** Parses the response to an upload. */
  readonly read: (answer: unknown) => Uploaded;
  readonly stop: () => Promise<void>;
}

export interface Uploaded {
  readonly id: string;
  readonly thumbnail: string;
  readonly original: string;
}
