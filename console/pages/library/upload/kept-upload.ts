import type { Kept } from '../../../core/kept';
import { newUpload } from './dropped';
import type { Dropped, Upload } from './dropped';

/** What the browser keeps of an upload that is not finished. */
export interface KeptUpload extends Kept, Omit<Dropped, 'file'> {
  readonly file?: File | undefined;
  readonly into: string;
  readonly size: number;
  readonly modified: number;
  /** The tab that sends it. */
  readonly tab: string;
}

/** Where uploads to a user are kept. */
export const placeOf = (userId: string): string => `library ${userId}`;

/** An upload that was begun before. */
export const uploadOf = (
  { path, camera, spot, details, into, key }: Omit<KeptUpload, 'file'>,
  file: File,
): Upload => ({
  ...newUpload({ file, path, camera, spot, details }, into),
  key,
  attempts: 1,
});

const lockNames = 'imgstore tab ';

export const tabLock = (tab: string): string => `${lockNames}${tab}`;

/** In place of a tab: the service worker, which sends while there is no tab (background.ts). */
export const worker = 'worker';

/** Browsers tell only on secure pages which tabs are open. */
export const { locks } = navigator as Partial<Navigator>;

/** The locks of all that are open. */
export async function openTabs(): Promise<string[]> {
  const { held = [] } = (await locks?.query()) ?? {};
  return held.flatMap(({ name }) => (name?.startsWith(lockNames) ? [name] : []));
}
