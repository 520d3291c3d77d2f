import assert from 'node:assert/strict';
import { done, near } from '../../testkit/expect.js';
import type { Statistics } from '../../testkit/records.js';
import type { Tenant } from '../../testkit/world.js';

export interface Day {
  readonly date: number;
  readonly stats: Statistics;
}

export const total = async (tenant: Tenant) => done(await tenant.statistics<Statistics>('/total'));

export const days = async (
  tenant: Tenant,
  start_date: string,
  end_date: string,
  sort_order?: string,
) =>
  done(
    await tenant.statistics<Day[]>('', { start_date, end_date, ...(sort_order && { sort_order }) }),
  );

/** The day, by the server's clock, on which it was created: today, unless midnight has passed. */
export const todayOf = ({ record }: Tenant): string => record.created_at.slice(0, 8);

export const shift = (day: string, by: number): string => {
  const [year, month, date] = [day.slice(0, 4), day.slice(4, 6), day.slice(6)].map(Number);
  const moved = new Date(Date.UTC(year ?? 0, (month ?? 1) - 1, (date ?? 1) + by));
  return moved.toISOString().slice(0, 10).replaceAll('-', '');
};

export const zeros: Statistics = {
  upload_camera: 0,
  upload_gallery: 0,
  upload_request: 0,
  total_upload: 0,
  edit_count: 0,
  delete_count: 0,
  total_images: 0,
  org_filesize_mb: 0,
  org_latest_filesize_mb: 0,
  total_filesize_mb: 0,
};

/** Fills a platform with uploads of all types, edits, and deletions. @returns its expected statistics. */
export async function busy(tenant: Tenant): Promise<Statistics> {
  const [a, b] = [await tenant.user(), await tenant.user()];
  const edited = await a.upload({ upload_type: 'camera', created_at: '20200101_000000' });
  const others = [await a.upload(), await b.upload(), await b.upload({ upload_type: 'request' })];
  const first = await a.edit(edited);
  const second = await a.edit(edited);
  const [kept, trashed, deleted] = others;
  assert.ok(kept && trashed && deleted);
  await b.trash(trashed);
  const folder = await b.folder('permanently deleted');
  done(await b.put(`/images/${deleted.id}`, { folder_id: folder.id }));
  done(await b.delete(`/folders/${folder.id}`));
  const originals = edited.filesize_mb + kept.filesize_mb + trashed.filesize_mb;
  return {
    upload_camera: 1,
    upload_gallery: 2,
    upload_request: 1,
    total_upload: 4,
    edit_count: 2,
    delete_count: 2,
    total_images: 2,
    org_filesize_mb: originals,
    org_latest_filesize_mb: originals + second.filesize_mb,
    total_filesize_mb: originals + first.filesize_mb + second.filesize_mb,
  };
}

/** What happened on all these days, and the state at the end of the last. */
export function together(found: readonly Day[]): Statistics | undefined {
  const last = found.at(-1)?.stats;
  if (!last) return undefined;
  const sum = (name: keyof Statistics) => found.reduce((all, { stats }) => all + stats[name], 0);
  return {
    ...last,
    upload_camera: sum('upload_camera'),
    upload_gallery: sum('upload_gallery'),
    upload_request: sum('upload_request'),
    total_upload: sum('total_upload'),
    edit_count: sum('edit_count'),
    delete_count: sum('delete_count'),
  };
}

export function same(actual: Statistics | undefined, expected: Statistics): void {
  for (const [name, value] of Object.entries(expected)) {
    near(actual?.[name as keyof Statistics], value as number, 5e-6);
  }
}
