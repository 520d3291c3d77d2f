import type { Access } from '../access';
import { dayOf, readContents, readFolders } from '../listing';
import type { Image } from '../listing';

/** What a card shows of a folder. */
export interface Cover {
  /** Up to four of its newest images. */
  readonly images: readonly Image[];
  /** Folders and images in it. */
  readonly count: number;
  /** The days of its oldest and newest image; undefined without images. */
  readonly days: readonly [string, string] | undefined;
}

const most = 4;

/** @throws Problem. */
export async function readCover(access: Access, id: string, signal: AbortSignal): Promise<Cover> {
  const { count: folders } = await readFolders(access, id, signal);
  const { items, total_count: count } = await readContents(access, id, {
    start: folders,
    count: most,
    signal,
  });
  const images = items.flatMap((item) => (item.is_folder ? [] : [item.data]));
  const [newest] = images;
  if (!newest) return { images, count, days: undefined };
  const last = { start: count - 1, count: 1, signal };
  const [found] = images.length < most ? [] : (await readContents(access, id, last)).items;
  const oldest = found && !found.is_folder ? found.data : (images.at(-1) ?? newest);
  return { images, count, days: [dayOf(oldest), dayOf(newest)] };
}
