import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Home } from '../src/base/config/home.js';
import type { Answer } from './client.js';
import { newHome, postmasterPid } from './command.js';
import { homeWithCluster } from './copied-home.js';
import { testDatabase } from './database.js';
import { filePart } from './pictures.js';
import { withDescendants } from './processes.js';
import { serve, type Serving } from './serving.js';
import { lastFirst, type Scope } from './scope.js';
import { sha256 } from './fetch.js';
import type { Image } from './records.js';

/** A service in a process of its own, with a home and a first user. */
export interface Appliance {
  readonly home: Home;
  readonly serving: Serving;
  readonly user: Uploader;
  /** URL of its database; undefined for a private one. */
  readonly databaseUrl: string | undefined;
}

export async function appliance(
  parent: Scope,
  {
    privately = false,
    args = [],
    env = {},
  }: { privately?: boolean; args?: readonly string[]; env?: Record<string, string> } = {},
): Promise<Appliance> {
  const scope = lastFirst(parent);
  const home = await (privately ? homeWithCluster(scope) : newHome(scope));
  const databaseUrl = privately ? undefined : (await testDatabase(scope)).url;
  const database = databaseUrl === undefined ? [] : ['--database-url', databaseUrl];
  const serving = await serve(scope, home, [...database, ...args], 'up', { env });
  return { home, serving, databaseUrl, user: new Uploader(serving) };
}

/** A user of the service: uploads and reads images. */
export class Uploader {
  readonly token: string;
  readonly images: string;

  /** @param serving the running service; after a restart, `at` switches to the new one. */
  constructor(private serving: Serving) {
    const { user } = serving.greeting;
    this.token = user.access_token;
    this.images = `/api/v1/users/${user.user_id}/images`;
  }

  at(serving: Serving): void {
    this.serving = serving;
  }

  upload(picture: Uint8Array, signal?: AbortSignal): Promise<Answer<Image>> {
    return this.serving.client.post<Image>(this.images, {
      as: ['User', this.token],
      form: { image_data: filePart(picture) },
      ...(signal && { signal }),
    });
  }

  get(id: string): Promise<Answer<Image>> {
    return this.serving.client.get<Image>(`${this.images}/${id}`, {
      as: ['User', this.token],
    });
  }

  async count(): Promise<number> {
    const { result } = await this.serving.client.get<{ count: number }>(`${this.images}/count`, {
      as: ['User', this.token],
    });
    return result.count;
  }

  /** Verifies that an image returns exactly these bytes. */
  async expectBytes(id: string, picture: Uint8Array): Promise<void> {
    const { status, result } = await this.get(id);
    assert.equal(status, 200);
    const answer = await fetch(result.org_path_url);
    assert.equal(answer.status, 200);
    const got = new Uint8Array(await answer.arrayBuffer());
    assert.equal(sha256(got), sha256(picture));
  }
}

/** All processes of a service, including its private database server. */
export async function processesOf({
  home,
  serving,
}: Pick<Appliance, 'home' | 'serving'>): Promise<number[]> {
  const server = await postmasterPid(home);
  return withDescendants(server ? [serving.pid, server] : [serving.pid]);
}

export async function imagingPid({ serving }: Appliance): Promise<number | undefined> {
  for (const pid of await withDescendants([serving.pid])) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (line.includes('imaging-process')) return pid;
  }
  return undefined;
}
