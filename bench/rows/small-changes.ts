/** A small change by one request, and the preparation of all images for it. */
export interface Kind {
  readonly method: 'PUT' | 'POST';
  readonly path: (imageId: string) => string;
  readonly form: (imageId: string) => Record<string, string>;
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
    reset: 'UPDATE images SET has_det = NULL WHERE has_det IS NOT NULL',
  },
  share: {
    method: 'POST',
    path: () => '/share?with_memo=True',
    form: (imageId) => ({ image_ids: imageId }),
    reset: 'UPDATE images SET is_shared = false WHERE is_shared',
  },
  trash: {
    method: 'PUT',
    path: one,
    form: () => ({ delete: 'True' }),
    reset: 'UPDATE images SET deleted_at = NULL WHERE deleted_at IS NOT NULL',
  },
  restore: {
    method: 'PUT',
    path: one,
    form: () => ({ delete: 'False' }),
    reset: 'UPDATE images SET deleted_at = now() WHERE deleted_at IS NULL',
    undo: 'UPDATE images SET deleted_at = NULL WHERE deleted_at IS NOT NULL',
  },
  memo: {
    method: 'POST',
    path: (imageId) => `/${imageId}/memos`,
    form: () => ({ message: 'seen', is_client: 'True' }),
  },
} as const satisfies Record<string, Kind>;
export type KindName = keyof typeof kinds;
