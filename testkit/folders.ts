import assert from 'node:assert/strict';
import {
  folderRecord,
  type DeletedFolders,
  type FolderContents,
  type FolderRecord,
  type FolderTree,
} from '../src/library/folders/schemas.js';
import type { ImageRecord } from '../src/library/images/schemas.js';
import type { Answer, Call } from './client.js';
import type { TestService, TestUser } from './service.js';

type Fields = Record<string, string>;

/** A user of a service with a folder tree, and methods to change it. */
export class Tree {
  readonly path: string;

  constructor(
    readonly service: TestService,
    readonly user: TestUser,
  ) {
    this.path = `/api/v1/users/${user.id}/folders`;
  }

  static async of(service: TestService): Promise<Tree> {
    return new Tree(service, await service.user());
  }

  call(call: Call = {}): Call {
    return { as: ['User', this.user.token], ...call };
  }

  tryCreate(title: string, parent?: string): Promise<Answer<FolderRecord>> {
    const form = { title, ...(parent !== undefined && { parent_id: parent }) };
    return this.service.client.post(this.path, this.call({ form }));
  }

  create = async (title: string, parent?: string) => done(await this.tryCreate(title, parent));

  tryChange(id: string, form: Fields, query: Fields = {}): Promise<Answer<FolderRecord>> {
    return this.service.client.put(`${this.path}/${id}`, this.call({ form, query }));
  }

  change = async (id: string, form: Fields, query: Fields = {}) =>
    done(await this.tryChange(id, form, query));

  trash = (id: string) => this.change(id, {}, { delete: 'true' });
  restore = (id: string) => this.change(id, {}, { delete: 'false' });

  tryRemove(id: string): Promise<Answer<DeletedFolders>> {
    return this.service.client.delete(`${this.path}/${id}`, this.call());
  }

  remove = async (id: string) => done(await this.tryRemove(id));

  read = async (query: Fields = {}) =>
    done(await this.service.client.get<FolderTree[]>(this.path, this.call({ query })));

  tryContents(id: string, query: Fields = {}): Promise<Answer<FolderContents>> {
    return this.service.client.get(`${this.path}/${id}`, this.call({ query }));
  }

  contents = async (id: string, query: Fields = {}) => done(await this.tryContents(id, query));

  image = async (id: string) =>
    done(
      await this.service.client.get<ImageRecord>(`${this.user.images}/${id}`, {
        as: ['User', this.user.token],
      }),
    );

  /** The folder as it appears in the tree. */
  async find(id: string): Promise<FolderTree> {
    const found = all(await this.read()).find((folder) => folder.id === id);
    assert.ok(found, `no folder ${id}`);
    return found;
  }

  /** The same as a plain record, as returned by changes. */
  async findRecord(id: string): Promise<FolderRecord> {
    return folderRecord.parse(await this.find(id));
  }

  /** Sorted titles of all folders, each with its path, and a `*` if it is in the trash. */
  async outline(): Promise<string[]> {
    const lines = (folders: readonly FolderTree[], path: string): string[] =>
      folders.flatMap((f) => {
        const own = `${path}/${f.title}`;
        return [own + (f.delete_at === null ? '' : '*'), ...lines(f.child_folders, own)];
      });
    return lines(await this.read(), '').sort();
  }
}

/** Every folder of a forest. */
export const all = (folders: readonly FolderTree[]): FolderTree[] =>
  folders.flatMap((folder) => [folder, ...all(folder.child_folders)]);

export function done<T>({ status, result, error }: Answer<T>): T {
  assert.equal(status, 200, JSON.stringify(error));
  return result;
}

export function refused({ status, error }: Answer<unknown>, code: string, field?: string): void {
  assert.deepEqual([status, error?.code], [400, code]);
  if (field !== undefined) assert.equal(error?.field, field);
}
