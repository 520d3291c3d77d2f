import { counted, spanText, dayMs, hourMs, secondMs } from '../../../base/units.js';
import { reclaimBacklog, undeletableObjects } from '../../../library/reclaim/reclaim.js';
import { ok, problem, warning, type Check } from '../check.js';

/** Objects named in a diagnosis. */
const maxNamed = 5;

/** Attempts after which a failure is no passing one: they take five minutes. */
const manyAttempts = 5;

export const reclaim: Check = {
  name: 'reclaim',
  title: 'Objects that are no longer needed are deleted in time',
  category: 'upkeep',
  run: async (context) => {
    await context.instance.get();
    const db = await context.db();
    const { due, failing, oldest } = await reclaimBacklog(db);
    const late = oldest === null ? 0 : Date.now() - oldest.getTime();
    const named = await undeletableObjects(db, maxNamed);
    if (late < hourMs && (named[0]?.attempts ?? 0) < manyAttempts) {
      return ok(`${counted(due, 'object')} due.`);
    }
    const say = late < dayMs ? warning : problem;
    if (failing > 0) {
      const list = named.map(({ key, reason }) => `${key} (${reason})`).join('; ');
      return say(
        `${counted(failing, 'object')} cannot be deleted, one for ${spanText(late / secondMs)}: ${list}${failing > named.length ? '; …' : ''}`,
        remedyFor(named.map(({ reason }) => reason).join(' ')),
      );
    }
    const running = await context.service.get().catch(() => undefined);
    return say(
      `${counted(due, 'object')} should have been deleted, one for ${spanText(late / secondMs)}: they take up space.`,
      running
        ? `${context.command('doctor', '--only', 'store,jobs')} shows what is wrong; the log has each failure.`
        : `They are deleted while the service runs: ${context.command('serve')}`,
    );
  },
};

const remedyFor = (reasons: string): string =>
  /AccessDenied/.test(reasons)
    ? 'Allow s3:DeleteObject for the keys of s3.access_key, in the policies of the user and of the bucket; if these objects are locked (object lock, legal hold), they can only be deleted when that ends. They are tried again at least every hour.'
    : /EACCES|EPERM|EROFS/.test(reasons)
      ? 'Make the files and their folders writable for the user that runs imgstore (ls -la, lsattr). They are tried again at least every hour.'
      : 'Correct what the store reports. They are tried again at least every hour.';
