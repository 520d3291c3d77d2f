import assert from 'node:assert/strict';
import type { ChangeRecord } from '../src/feed/changes/schemas.js';
import { forEachLimited } from '../src/base/concurrency.js';
import { done } from './expect.js';
import { userChanges } from './feeds.js';
import type { FolderTree } from '../src/library/folders/schemas.js';
import { type Queryable, rows } from '../src/database/sql.js';
import type { TestService } from './service.js';
import { type Member, all } from './world.js';

type Served = Pick<TestService, 'client'>;

type Kept = Record<string, unknown>;

const readsAtOnce = 8;

/** Without URLs, because their signatures change. */
const withoutUrls = (record: unknown): Kept =>
  JSON.parse(
    JSON.stringify(record, (name, value: unknown) => (name.endsWith('_url') ? undefined : value)),
  ) as Kept;

const everything = { with_memo: 'True', with_custom: 'True', with_history: 'True' };

async function readImage({ client }: Served, user: Member, id: string) {
  const as = ['User', user.token] as const;
  const answer = await client.get<Kept>(`${user.images}/${id}`, { as, query: everything });
  return answer.error?.code === 'image_not_found' ? undefined : withoutUrls(done(answer));
}

async function readFolders({ client }: Served, user: Member): Promise<Map<string, Kept>> {
  const as = ['User', user.token] as const;
  const trees = done(await client.get<FolderTree[]>(`/api/v1/users/${user.id}/folders`, { as }));
  return new Map(
    all(trees).map((folder) => [folder.id, withoutUrls({ ...folder, child_folders: undefined })]),
  );
}

const stateOf = (folders: Map<string, Kept>, images: Map<string, Kept>) => ({
  folders: Object.fromEntries([...folders].sort(([a], [b]) => (a < b ? -1 : 1))),
  images: Object.fromEntries([...images].sort(([a], [b]) => (a < b ? -1 : 1))),
});

/** A user's folders and images as the API returns them. */
export async function serverState(service: Served & { readonly db: Queryable }, user: Member) {
  const images = new Map<string, Kept>();
  const sql = 'SELECT id FROM images WHERE user_id = $1';
  const found = await rows<{ id: string }>(service.db, sql, [user.id]);
  await forEachLimited(found, readsAtOnce, async ({ id }) => {
    images.set(id, (await readImage(service, user, id)) ?? {});
  });
  return stateOf(await readFolders(service, user), images);
}

/** A client's copy of a user's data: a snapshot, kept up to date by the feed. */
export class Replica {
  readonly #folders = new Map<string, Kept>();
  readonly #images = new Map<string, Kept>();
  entries = 0;

  private constructor(
    private readonly service: Served,
    private readonly user: Member,
    public last: number,
  ) {}

  static async of(service: Served, user: Member): Promise<Replica> {
    const as = ['User', user.token] as const;
    const response = await service.client.raw('GET', `/api/v1/users/${user.id}/snapshot`, { as });
    const lines = (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Kept);
    const replica = new Replica(service, user, lines[0]?.last as number);
    for (const { folder, image } of lines as { folder?: Kept; image?: Kept }[]) {
      if (folder) replica.#folders.set(folder.id as string, withoutUrls(folder));
      if (image) replica.#images.set(image.id as string, withoutUrls(image));
    }
    assert.equal(lines.at(-1)?.end, true);
    return replica;
  }

  /** Waits for a page of the feed and applies it. @returns whether there are more. */
  async follow(limit: number): Promise<boolean> {
    const query = { after: this.last, limit, wait: 2 };
    const page = done(await userChanges(this.service, this.user, query));
    for (const [n, { seq }] of page.changes.entries()) {
      assert.equal(seq, this.last + 1 + n, 'no number is missing, and none comes twice');
    }
    await this.#apply(page.changes);
    this.last += page.changes.length;
    this.entries += page.changes.length;
    assert.equal(page.last, this.last);
    return page.more;
  }

  /** Applies all remaining pages. */
  async catchUp(): Promise<void> {
    while (await this.follow(100));
  }

  /** The state that a client would write to its disk. */
  save(): string {
    const [folders, images] = [[...this.#folders], [...this.#images]];
    return JSON.stringify({ last: this.last, folders, images });
  }

  /** Resumes from the state that `save` returned. */
  static saved(service: Served, user: Member, text: string): Replica {
    const kept = JSON.parse(text) as {
      readonly last: number;
      readonly folders: readonly [string, Kept][];
      readonly images: readonly [string, Kept][];
    };
    const replica = new Replica(service, user, kept.last);
    for (const [id, folder] of kept.folders) replica.#folders.set(id, folder);
    for (const [id, image] of kept.images) replica.#images.set(id, image);
    return replica;
  }

  state() {
    return stateOf(this.#folders, this.#images);
  }

  /** Reads each folder and image that the entries name once, however often it has changed. */
  async #apply(changes: readonly ChangeRecord[]): Promise<void> {
    const idsOf = (isFolder: boolean): Set<string> =>
      new Set(
        changes
          .filter(({ type }) => type !== 'user' && (type === 'folder') === isFolder)
          .map(({ id, image_id: image = id }) => image),
      );
    const [folders, images] = [idsOf(true), idsOf(false)];
    const tree = folders.size > 0 ? await readFolders(this.service, this.user) : undefined;
    for (const id of folders) keep(this.#folders, id, tree?.get(id));
    await forEachLimited([...images], readsAtOnce, async (id) =>
      keep(this.#images, id, await readImage(this.service, this.user, id)),
    );
  }
}

const keep = (kept: Map<string, Kept>, id: string, record: Kept | undefined): void => {
  if (record) kept.set(id, record);
  else kept.delete(id);
};
