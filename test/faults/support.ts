import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Home } from '../../src/config/home.js';
import { processStart } from '../../src/os/process-lock.js';
import type { ImageRecord } from '../../src/images/schemas.js';
import type { Answer } from '../../testkit/client.js';
import { newHome, newPrivateHome, postmasterPid } from '../../testkit/command.js';
import { testDatabase } from '../../testkit/database.js';
import { filePart } from '../../testkit/pictures.js';
import { serve } from '../../testkit/serving.js';
import type { Serving } from '../../testkit/serving.js';
import type { Scope } from '../../testkit/service.js';

/** A service in a process of its own, with a home and a first user. */
export interface Appliance {
  readonly home: Home;
  readonly serving: Serving;
  readonly user: Uploader;
  /** Address of its database; undefined for a private one. */
  readonly url: string | undefined;
}

export async function appliance(
  scope: Scope,
  { privately = false, args = [] as readonly string[] } = {},
): Promise<Appliance> {
  const home = await (privately ? newPrivateHome(scope) : newHome(scope));
  const url = privately ? undefined : (await testDatabase(scope)).url;
  const database = url === undefined ? [] : ['--database-url', url];
  const serving = await serve(scope, home, [...database, ...args], 'up');
  return { home, serving, url, user: new Uploader(serving) };
}

/** What a user of the service does. */
export class Uploader {
  readonly token: string;
  readonly images: string;

  /** @param serving the service as it is now; `at` follows it when it starts again. */
  constructor(private serving: Serving) {
    const { user } = serving.greeting;
    this.token = user.access_token;
    this.images = `/api/v1/users/${user.user_id}/images`;
  }

  at(serving: Serving): void {
    this.serving = serving;
  }

  upload(picture: Uint8Array, signal?: AbortSignal): Promise<Answer<ImageRecord>> {
    return this.serving.client.post<ImageRecord>(this.images, {
      as: ['User', this.token],
      form: { image_data: filePart(picture) },
      ...(signal && { signal }),
    });
  }

  get(id: string): Promise<Answer<ImageRecord>> {
    return this.serving.client.get<ImageRecord>(`${this.images}/${id}`, {
      as: ['User', this.token],
    });
  }

  async count(): Promise<number> {
    const { result } = await this.serving.client.get<{ count: number }>(`${this.images}/count`, {
      as: ['User', this.token],
    });
    return result.count;
  }

  /** Makes sure that an image gives back exactly these bytes. */
  async expectBytes(id: string, picture: Uint8Array): Promise<void> {
    const { status, result } = await this.get(id);
    assert.equal(status, 200);
    const answer = await fetch(result.org_path_url);
    assert.equal(answer.status, 200);
    const got = new Uint8Array(await answer.arrayBuffer());
    assert.equal(sha256(got), sha256(picture));
  }
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Waits until `holds` does, at most `ms`; asks often. */
export async function eventually(what: string, holds: () => Promise<boolean>, ms = 20_000) {
  const deadline = Date.now() + ms;
  while (!(await holds())) {
    assert.ok(Date.now() < deadline, `not within ${ms} ms: ${what}`);
    await delay(25);
  }
}

/** Parents of all processes. */
async function parents(): Promise<Map<number, number>> {
  const found = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
    if (parent) found.set(Number(name), Number(parent));
  }
  return found;
}

/** These processes and all that they started. */
export async function withDescendants(roots: readonly number[]): Promise<number[]> {
  const known = await parents();
  const family = new Set(roots);
  for (let before = 0; before < family.size;) {
    before = family.size;
    for (const [pid, parent] of known) if (family.has(parent)) family.add(pid);
  }
  return [...family];
}

/** All processes of a service, its private database server included. */
export async function processesOf({ home, serving }: Appliance): Promise<number[]> {
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

/** None of these processes, as they were, lives any more. */
export const allGone = (started: ReadonlyMap<number, string>): boolean =>
  [...started].every(([pid, start]) => processStart(pid) !== start);

/** When each of these started that lives still: of a database server's, some live for a moment only. */
export const startsOf = (pids: readonly number[]): Map<number, string> =>
  new Map(
    pids.flatMap((pid) => {
      const start = processStart(pid);
      return start === undefined ? [] : [[pid, start] as const];
    }),
  );
