import assert from 'node:assert/strict';
import { row } from '../src/database/sql.js';
import type { ImageRecord } from '../src/library/images/schemas.js';
import type { Answer, Call } from './client.js';
import { Tree } from './folders.js';
import { filePart, jpeg } from './pictures.js';
import type { TestService, TestUser } from './service.js';

const picture = await jpeg({ width: 64, height: 48 });

/** A user with a few images and folders, and shorthands for what tests do with them. */
export class Album {
  readonly #tree: Tree;

  constructor(
    readonly service: TestService,
    readonly user: TestUser,
  ) {
    this.#tree = new Tree(service, user);
  }

  static async of(service: TestService): Promise<Album> {
    return new Album(service, await service.user());
  }

  /** Uploads a small image. */
  async upload(fields: Record<string, string> = {}): Promise<ImageRecord> {
    const form = { ...fields, image_data: filePart(picture) };
    const { status, result, error } = await this.call<ImageRecord>('POST', '', { form });
    assert.equal(status, 200, JSON.stringify(error));
    return result;
  }

  /** A request with the user's token to a path under the user's images. */
  call<R = unknown>(method: string, path: string, call: Call = {}): Promise<Answer<R>> {
    return this.service.client.request<R>(method, `${this.user.images}${path}`, {
      as: ['User', this.user.token],
      ...call,
    });
  }

  update(imageId: string, form: Record<string, string>): Promise<Answer<ImageRecord>> {
    return this.call('PUT', `/${imageId}`, { form });
  }

  async get(imageId: string): Promise<ImageRecord> {
    return (await this.call<ImageRecord>('GET', `/${imageId}`)).result;
  }

  /** When it was last changed, in milliseconds: more precise than its record. */
  async updatedAt(imageId: string): Promise<number> {
    const sql = 'SELECT updated_at AS at FROM images WHERE id = $1';
    return (await row<{ at: Date }>(this.service.db, sql, [imageId]))?.at.getTime() ?? NaN;
  }

  /** A new folder. @returns its id. */
  async folder(title: string, parent?: string): Promise<string> {
    return (await this.#tree.create(title, parent)).id;
  }

  async trashFolder(folderId: string): Promise<void> {
    await this.#tree.trash(folderId);
  }

  tryChangeFolder(folderId: string, query: Record<string, string>): Promise<Answer<unknown>> {
    return this.#tree.tryChange(folderId, {}, query);
  }
}

/** Status, code, and field of an error: what tests compare. */
export const refusal = ({ status, error }: Answer<unknown>) => [status, error?.code, error?.field];
