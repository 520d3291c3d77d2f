import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { atMostEach } from '../../base/concurrency.js';
import { ServiceError } from '../../base/errors/catalogue.js';
import { failure, wrongUsage } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import { secondMs, counted, sizeText } from '../../base/units.js';
import {
  beginRemoval,
  readErasure,
  removePlatforms,
  type Erasure,
} from '../../library/tree/platform-removal.js';
import type { RemainingObjects } from '../../library/reclaim/reclaim.js';
import { prompt } from '../ask.js';
import type { Context } from '../context.js';
import { Interrupted } from '../interrupt.js';
import { withTenants, type OpenTenants } from '../open.js';

/** The state of the deletion of a platform. */
const erasureState = ({ rowsDeletedAt, objectsDeletedAt }: Erasure) =>
  rowsDeletedAt === null ? 'deleting' : objectsDeletedAt === null ? 'deleting files' : 'deleted';

/** The report of a deletion: counts and times, no personal data. */
export const erasureDocument = (erasure: Erasure) => ({
  id: erasure.platformId,
  state: erasureState(erasure),
  requested_at: erasure.requestedAt.toISOString(),
  rows_deleted_at: erasure.rowsDeletedAt?.toISOString() ?? null,
  objects_deleted_at: erasure.objectsDeletedAt?.toISOString() ?? null,
  deleted: {
    users: erasure.users,
    folders: erasure.folders,
    images: erasure.images,
    versions: erasure.versions,
    objects: erasure.objects,
    bytes: erasure.bytes,
  },
  remaining: erasure.remaining,
});

/** What is still stored of a deleted platform or user. */
export const remainingText = ({ objects, failing, reason }: RemainingObjects): string =>
  failing === 0
    ? `${counted(objects, 'object')} to be deleted after store.deletion_delay_hours (at once: ${commandLine('store', 'reclaim', '--now')})`
    : `${counted(objects, 'object')} still stored, ${failing} of which cannot be deleted (${reason}): ${commandLine('doctor', '--only', 'reclaim,store')}`;

const deletedText = (erasure: Erasure): string =>
  [
    counted(erasure.users, 'user'),
    counted(erasure.folders, 'folder'),
    counted(erasure.images, 'image'),
    counted(erasure.versions, 'stored version'),
    counted(erasure.objects, 'object'),
    sizeText(erasure.bytes),
  ].join(', ');

export const erasureText = (erasure: Erasure): string =>
  [
    `platform  ${erasure.platformId}`,
    `state     ${erasureState(erasure)}`,
    `requested ${erasure.requestedAt.toISOString()}`,
    `rows      ${erasure.rowsDeletedAt ? `deleted ${erasure.rowsDeletedAt.toISOString()}` : 'being deleted'}`,
    `files     ${erasure.objectsDeletedAt ? `deleted ${erasure.objectsDeletedAt.toISOString()}` : remainingText(erasure.remaining)}`,
    `deleted   ${deletedText(erasure)}`,
  ].join('\n');

/** Interval of progress reports, in milliseconds. */
const reportMs = 2 * secondMs;

/** Deletes a platform with everything in it, or resumes a deletion that was interrupted. */
export async function deletePlatform(
  context: Context,
  { id, confirm }: { id: string; confirm?: string },
): Promise<void> {
  const erasure = await withTenants(context, async (tenants) => {
    const begun = await readErasure(tenants.db, id);
    if (!begun) {
      await confirmName(context, tenants, id, confirm);
      await beginRemoval(tenants.db, id);
    }
    return finish(context, tenants.db, id);
  });
  const left = erasure.objectsDeletedAt ? 'no files are left' : remainingText(erasure.remaining);
  const text = `Deleted ${deletedText(erasure)}. Files: ${left}. ${commandLine('platform', 'show', id)} shows when they are gone.`;
  context.ui.result({ document: erasureDocument(erasure), text });
}

/** `--yes` is not enough: typing the name protects against a wrong id. */
async function confirmName(
  { ui, interrupted }: Context,
  { platforms }: OpenTenants,
  id: string,
  confirmed: string | undefined,
): Promise<void> {
  const { platform: name, user_count: users } = await platforms.get(id);
  const question = `Permanently delete the platform ${name} with ${counted(users, 'user')} and all their images?`;
  if (confirmed === undefined && !ui.interactive) {
    throw wrongUsage(`${question} This cannot be undone; confirm with the platform's name.`, {
      setting: '--confirm',
      remedy: `Add --confirm with the name that "${commandLine('platform', 'list')}" shows.`,
    });
  }
  const typed =
    confirmed ??
    (await prompt<string>({ type: 'input', message: `${question} Type its name:` }, interrupted));
  if (typed.trim() === name) return;
  const message = `The platform's name is ${name}, not ${typed.trim()}. Nothing was changed.`;
  // At the prompt, another name means a change of mind; as a flag, it is wrong usage.
  throw confirmed === undefined ? failure(message) : wrongUsage(message, { setting: '--confirm' });
}

/** Deletes it in this process, unless the service is already doing so. */
async function finish(
  { ui, home, interrupted }: Context,
  db: DataSource,
  id: string,
): Promise<Erasure> {
  const report = atMostEach(reportMs, ui.progress);
  const check = async (): Promise<Erasure> => {
    const erasure = await readErasure(db, id);
    if (!erasure) throw new ServiceError('platform_not_found');
    report(() => `Deleted so far: ${deletedText(erasure)}`);
    return erasure;
  };
  const progress = async (): Promise<void> => void (await check());
  for (;;) {
    await removePlatforms({ db, signal: interrupted, progress });
    const erasure = await check();
    if (erasure.rowsDeletedAt !== null) return erasure;
    if (interrupted.aborted) {
      const { signal } = interrupted.reason as Interrupted;
      const again = commandLine('platform', 'delete', id, '--home', home.dir);
      throw new Interrupted(
        signal,
        `The service continues the deletion; to continue it here: ${again}`,
      );
    }
    await delay(secondMs, undefined, { signal: interrupted }).catch(() => undefined);
  }
}
