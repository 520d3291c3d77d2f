import { randomUUID } from 'node:crypto';
import type { Queryable } from '../../src/database/sql.js';
import { insertMemo } from '../../src/library/annotations/annotations.sql.js';
import { shareImage, updateImage } from '../../src/library/images/update/update.sql.js';

/** A small change by one request, and the preparation of all images for it. */
export interface Kind {
  readonly method: 'PUT' | 'POST';
  readonly path: (imageId: string) => string;
  readonly form: (imageId: string) => Record<string, string>;
  /** The statement of the request that changes something. */
  readonly statement: (db: Queryable, userId: string, imageId: string) => Promise<unknown>;
  readonly reset?: string;
  /** Restores the images for the next measurement. */
  readonly undo?: string;
}

const one = (imageId: string): string => `/${imageId}`;
export const kinds = {
  has_det: {
    method: 'PUT',
    path: one,
    form: () => ({ has_det: 'True' }),
    statement: (db, user, image) => updateImage(db, user, image, { hasDet: true }),
    reset: 'UPDATE images SET has_det = NULL WHERE has_det IS NOT NULL',
  },
  share: {
    method: 'POST',
    path: () => '/share?with_memo=True',
    form: (imageId) => ({ image_ids: imageId }),
    statement: shareImage,
    reset: 'UPDATE images SET is_shared = false WHERE is_shared',
  },
  trash: {
    method: 'PUT',
    path: one,
    form: () => ({ delete: 'True' }),
    statement: (db, user, image) => updateImage(db, user, image, { trashed: true }),
    reset: 'UPDATE images SET deleted_at = NULL WHERE deleted_at IS NOT NULL',
  },
  restore: {
    method: 'PUT',
    path: one,
    form: () => ({ delete: 'False' }),
    statement: (db, user, image) => updateImage(db, user, image, { trashed: false }),
    reset: 'UPDATE images SET deleted_at = now() WHERE deleted_at IS NULL',
    undo: 'UPDATE images SET deleted_at = NULL WHERE deleted_at IS NOT NULL',
  },
  memo: {
    method: 'POST',
    path: (imageId) => `/${imageId}/memos`,
    form: () => ({ message: 'seen', is_client: 'True' }),
    statement: (db, userId, imageId) =>
      insertMemo(
        db,
        { id: randomUUID(), userId, imageId, message: 'seen', isClient: true },
        { memos: 1e6, customs: 1e6, textBytes: 1e9 },
      ),
  },
} as const satisfies Record<string, Kind>;
export type KindName = keyof typeof kinds;
