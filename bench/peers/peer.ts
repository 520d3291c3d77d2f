import type { Connection } from './empty-database.js';
import type { Call } from '../harness/load.js';

/** Another image store, from npm, installed into a directory of its own at run time. */
export interface Peer {
  readonly name: string;
  /** What `npm install` is given: the latest versions that run on the oldest Node.js of imgstore. */
  readonly packages: readonly string[];
  readonly license: string;
  /** @returns it, running on 127.0.0.1, with an administrator that was made up for it. */
  readonly start: (where: Where) => Promise<RunningPeer>;
}

export interface Where {
  /** Where it is installed. */
  readonly dir: string;
  /** An empty database on the server that imgstore uses, with the same settings. */
  readonly database: Connection;
  readonly port: number;
}

export interface RunningPeer {
  /** Answered after all renditions are made. */
  readonly upload: (file: string) => Call;
  /** The status of a successful upload. */
  readonly uploaded: number;
  /** A page of the newest files with what their addresses are made of. */
  readonly page: (size: number) => Call;
  /** @param id of an uploaded picture. */
  readonly thumbnail: (picture: Uploaded) => Call;
  readonly original: (picture: Uploaded) => Call;
  /** Of the answer to an upload. */
  readonly read: (answer: unknown) => Uploaded;
  readonly stop: () => Promise<void>;
}

export interface Uploaded {
  readonly thumbnail: string;
  readonly original: string;
}
