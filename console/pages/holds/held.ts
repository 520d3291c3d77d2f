import { useEffect } from 'preact/hooks';
import { apiDay, todayIn } from '../../core/days';
import { serviceSettings } from '../../core/service';
import { session } from '../../core/session';
import { useRead } from '../../core/use-read';
import type { Access } from '../library/access';
import type { Image } from '../library/listing';
import { root } from '../library/tree/tree';
import type { FolderTree } from '../library/tree/tree';
import { readHolds } from './holds';
import type { Hold } from './holds';

/**
 * The hold that keeps an image, for those who may know: users are not told. Of images that have left a folder
 * that is held, which stay held, holds do not say so.
 */
export function useHeld({ userId }: Access, tree: FolderTree): (image: Image) => Hold | undefined {
  const { scope, platformId } = session.value ?? {};
  const mayKnow = scope === 'platform';
  useEffect(() => (mayKnow ? tree.load() : undefined), [tree, mayKnow]);
  void tree.version.value;
  const { data = [] } = useRead(
    async (signal) => (mayKnow && platformId ? lasting(platformId, signal) : []),
    [mayKnow, platformId],
  );
  return ({ id, folder_id: folder }) => {
    if (data.length === 0) return undefined;
    const above = new Set(tree.pathTo(folder ?? root).map((each) => each.id));
    return data.find(
      (hold) =>
        hold.user_id === userId ||
        hold.image_ids?.includes(id) ||
        (hold.folder_id !== null && above.has(hold.folder_id)),
    );
  };
}

/** The holds of a platform that have not ended. */
async function lasting(platform: string, signal: AbortSignal): Promise<Hold[]> {
  const today = apiDay(todayIn((await serviceSettings()).time_zone));
  const found: Hold[] = [];
  let cursor: string | undefined;
  do {
    const { items, next } = await readHolds(platform, cursor, signal);
    found.push(...items);
    cursor = next ?? undefined;
  } while (cursor !== undefined);
  return found.filter(
    ({ released_at: released, until }) =>
      released === null && (until === null || until.slice(0, 8) >= today),
  );
}
