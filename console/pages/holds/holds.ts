import { asJson, call } from '../../core/api';
import type { components } from '../../core/api';
import type { Page } from '../../core/use-pages';

export type Hold = components['schemas']['Hold'];

const all = '/api/v1/platforms/{platform_id}/holds';

const pageSize = 100;

/** Holds of a platform, ended ones included, the newest first. @throws Problem. */
export async function readHolds(
  platform_id: string,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Page<Hold>> {
  const query = { page_size: pageSize, ...(cursor && { cursor }) };
  const {
    items,
    next_cursor: next,
    total_count: total,
  } = await call((client) => client.GET(all, { params: { path: { platform_id }, query }, signal }));
  return { items, next, total };
}

export interface NewHold {
  readonly reason: string;
  /** `YYYYMMDD`. */
  readonly until?: string;
  readonly image_ids?: string[];
  readonly folder_id?: string;
  readonly user_id?: string;
}

export const createHold = (platform_id: string, body: NewHold): Promise<Hold> =>
  call((client) => client.POST(all, { params: { path: { platform_id } }, body, ...asJson }));

export const releaseHold = (platform_id: string, hold_id: string): Promise<Hold> =>
  call((client) =>
    client.DELETE(`${all}/{hold_id}`, { params: { path: { platform_id, hold_id } } }),
  );
