import assert from 'node:assert/strict';
import { v7 as uuidv7 } from 'uuid';
import { row, rows } from '../src/database/sql.js';
import type { ImageRecord } from '../src/images/schemas.js';
import type { Answer, Call } from './client.js';
import { filePart, jpeg } from './pictures.js';
import type { TestService, TestUser } from './service.js';

const picture = await jpeg({ width: 64, height: 48 });

/** A user with a few pictures and folders, and short words for what tests do with them. */
export class Album {
  constructor(
    readonly service: TestService,
    readonly user: TestUser,
  ) {}

  static async of(service: TestService): Promise<Album> {
    return new Album(service, await service.user());
  }

  /** Uploads a small picture. */
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

  /** When it was changed last, in milliseconds: finer than its record tells. */
  async updatedAt(imageId: string): Promise<number> {
    const sql = 'SELECT updated_at AS at FROM images WHERE id = $1';
    return (await row<{ at: Date }>(this.service.db, sql, [imageId]))?.at.getTime() ?? NaN;
  }

  /** A folder, put there behind the API. */
  async folder(title: string, trashed = false): Promise<string> {
    const id = uuidv7();
    await rows(
      this.service.db,
      `INSERT INTO folders (id, user_id, title, deleted_at)
       VALUES ($1, $2, $3, CASE WHEN $4 THEN now() END)`,
      [id, this.user.id, title, trashed],
    );
    return id;
  }

  /** Moves a folder and its images to the trash as the folder's own trashing does. */
  async trashFolder(folderId: string): Promise<void> {
    await this.service.db.transaction(async (tx) => {
      await rows(tx, 'SELECT id FROM users WHERE id = $1 FOR NO KEY UPDATE', [this.user.id]);
      await rows(tx, 'UPDATE folders SET deleted_at = now() WHERE id = $1', [folderId]);
      await rows(
        tx,
        `UPDATE images SET deleted_at = now(), trashed_with = $1
         WHERE folder_id = $1 AND deleted_at IS NULL`,
        [folderId],
      );
    });
  }
}

/** Status, code and field of an error: what tests compare. */
export const refusal = ({ status, error }: Answer<unknown>) => [status, error?.code, error?.field];
