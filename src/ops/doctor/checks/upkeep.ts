import { heldSeconds, selectFeedHolders } from '../../../feed/changes/upkeep.js';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { shellWord } from '../../../base/os/command-line.js';
import { isFileMissing, isOfDisk } from '../../../base/os/files.js';
import { createLogger, readLevel } from '../../../base/telemetry/logger.js';
import {
  counted,
  dayMs,
  hourMs,
  minuteMs,
  secondMs,
  sizeText,
  spanText,
} from '../../../base/units.js';
import { decodersFolder } from '../../../imaging/sandbox.js';
import { reclaimBacklog, undeletableObjects } from '../../../library/reclaim/reclaim.js';
import { lastJobRuns, readJobRuns } from '../../job-runs.js';
import { scheduledJobs } from '../../jobs/scheduled-jobs.js';
import { Timetable } from '../../jobs/scheduler.js';
import { readOnlySince } from '../../../database/instance.js';
import { ownImaging } from '../../jobs/own-imaging.js';
import { ok, problem, warning, type Check } from '../check.js';
import { holdsExpiredTrash, selectPausedWebhooks, selectUnstamped } from '../doctor.sql.js';

/** Tolerated delay of a job: it waits for other nodes, and for its own previous run. */
const graceMs = 10 * minuteMs;
/** A run that takes longer than this hangs: all of them read no more than their share of a night. */
const longestRunMs = dayMs;

export const jobs: Check = {
  name: 'jobs',
  title: 'The jobs run on schedule, and succeed',
  category: 'upkeep',
  run: async (context) => {
    const { startedAt, pid } = await context.service.get();
    const [db, store, config] = [
      await context.db(),
      await context.store.get(),
      await context.config(),
    ];
    const logger = createLogger({ level: 'error', format: 'text' });
    const openImaging = ownImaging(context.home, config, logger);
    const { home } = context;
    const parts = { db, store, config, home, logger, openImaging };
    const now = Date.now();
    const paused = (await readOnlySince(db)) !== null;
    const runs = await readJobRuns(db);
    const due = now - startedAt.getTime() > graceMs ? scheduledJobs(parts) : [];
    const overdue = due.flatMap(({ name, when, inMaintenance }) => {
      if (paused && !inMaintenance) return [];
      const mine = runs.filter(({ job }) => job === name);
      const running = mine.find(({ endedAt, beganAt }) => !endedAt && beganAt >= startedAt);
      const runningMs = running ? now - running.beganAt.getTime() : 0;
      if (runningMs > longestRunMs) {
        return [`"${name}" has been running for ${spanText(runningMs / secondMs)}`];
      }
      const last = (mine.find(({ endedAt }) => endedAt)?.beganAt ?? startedAt).getTime();
      if (running || now - last <= graceMs) return [];
      const missed = new Timetable([{ when }], config.timezone, last).due(now - graceMs);
      if (missed.length === 0) return [];
      return [`"${name}" has not run for ${spanText((now - last) / secondMs)}`];
    });
    if (overdue.length > 0) {
      return problem(
        `${overdue.join('; ')}.`,
        `Restart the service (systemctl restart imgstore, or kill ${pid} and ${context.command('serve')}); its log shows what it is waiting for.`,
      );
    }
    const failed = (await lastJobRuns(db)).filter(({ error }) => error !== null);
    if (failed.length === 0) return ok('None is overdue, and none failed.');
    return warning(
      failed.map(({ job, error }) => `"${job}" failed: ${error}.`).join(' '),
      `It is retried when it is next due. See the log of the service, such as: journalctl -u imgstore -g 'job failed'; state of all: ${context.command('status')}`,
    );
  },
};

export const maintenance: Check = {
  name: 'maintenance',
  title: 'The service takes changes',
  category: 'upkeep',
  run: async (context) => {
    await context.instance.get();
    const since = await readOnlySince(await context.db());
    if (since === null) return ok('It is not in maintenance.');
    const seconds = (Date.now() - since.getTime()) / secondMs;
    return warning(
      `It has been in maintenance for ${spanText(seconds)}: changes are refused on every node, and most jobs wait.`,
      context.command('maintenance', 'off'),
    );
  },
};

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
    const { 'store.deletion_delay_hours': hours } = await context.config();
    const { due, failing, waiting, waitingBytes, oldest } = await reclaimBacklog(db, hours);
    const late = oldest === null ? 0 : Date.now() - oldest.getTime();
    const named = await undeletableObjects(db, maxNamed);
    if (late < hourMs && (named[0]?.attempts ?? 0) < manyAttempts) {
      const kept = `${counted(waiting, 'object')} (${sizeText(waitingBytes)}) of deleted images kept for ${hours} hours`;
      return ok(`${counted(due, 'object')} due; ${kept} (store.deletion_delay_hours).`);
    }
    const say = late < dayMs ? warning : problem;
    if (failing > 0) {
      const list = named.map(({ key, reason }) => `${key} (${reason})`).join('; ');
      return say(
        `${counted(failing, 'object')} cannot be deleted, one for ${spanText(late / secondMs)}: ${list}${failing > named.length ? '; …' : ''}`,
        remedyFor(named.map(({ reason }) => reason).join(' ')),
      );
    }
    const running = await context.service.find();
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
    ? 'Allow s3:DeleteObject (and s3:ListBucketVersions, s3:DeleteObjectVersion if the bucket keeps versions) for the keys of s3.access_key, in the policies of the user and of the bucket; if these objects are locked (object lock, legal hold), they can only be deleted when that ends. They are tried again at least every hour.'
    : /EACCES|EPERM|EROFS/.test(reasons)
      ? 'Make the files and their folders writable for the user that runs imgstore (ls -la, lsattr). They are tried again at least every hour.'
      : 'Correct what the store reports. They are tried again at least every hour.';

/** Days that trash may exceed its retention: the job runs once a day. */
const graceDays = 3;

export const trash: Check = {
  name: 'trash',
  title: 'The trash is emptied in time',
  category: 'upkeep',
  run: async (context) => {
    const { 'trash.retention_days': days } = await context.config();
    await context.instance.get();
    if (days === 0) return ok('It is kept until a user empties it (trash.retention_days is 0).');
    if (!(await holdsExpiredTrash(await context.db(), days + graceDays))) {
      return ok(`It is kept for ${days} days.`);
    }
    return problem(
      `The trash holds images or folders that should have been deleted after ${days} days (trash.retention_days).`,
      `Keep the service running at night, when it is emptied; to see whose it is: ${context.command('trash', 'list')}; to empty it now: ${context.command('trash', 'empty', '--user', 'ID')}`,
    );
  },
};

/** No upload takes this long, in milliseconds. */
const leftoverMs = dayMs;

export const incoming: Check = {
  name: 'incoming',
  title: 'Nothing is left of aborted uploads',
  category: 'upkeep',
  run: async (context) => {
    await context.initialized.get();
    const folder = context.home.incoming;
    const left = await leftovers(folder);
    if (left.length === 0) return ok('There is nothing older than a day.');
    return warning(
      `${counted(left.length, 'upload')} that ended more than a day ago left files in ${folder}.`,
      `find ${shellWord(folder)} -mindepth 1 -maxdepth 1 -mtime +0 ! -name lost+found ! -name ${decodersFolder} -exec rm -r {} +`,
    );
  },
  fix: async (context) => {
    const left = await leftovers(context.home.incoming);
    for (const path of left) await rm(path, { recursive: true, force: true });
    return `Removed what ${counted(left.length, 'upload')} left in ${context.home.incoming}.`;
  },
};

async function leftovers(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isFileMissing(error)) return [];
    throw error;
  });
  const paths = names
    .filter((name) => !isOfDisk(name) && name !== decodersFolder)
    .map((name) => join(folder, name));
  const found = await Promise.all(paths.map((path) => stat(path).catch(() => undefined)));
  const now = Date.now();
  return paths.filter((_path, index) => now - (found[index]?.mtimeMs ?? now) > leftoverMs);
}

export const webhooks: Check = {
  name: 'webhooks',
  title: 'No webhook is paused',
  category: 'upkeep',
  run: async (context) => {
    await context.instance.get();
    const [first, ...others] = await selectPausedWebhooks(await context.db());
    if (!first) return ok('All are active.');
    const more = others.length > 0 ? `, and ${counted(others.length, 'other')}` : '';
    return warning(
      `The webhook ${first.id} is paused (${first.reason})${more}: its platform is not notified of changes.`,
      `${context.command('webhook', 'test', first.id)}; once that succeeds: ${context.command('webhook', 'resume', first.id)}`,
    );
  },
};

export const timeStamps: Check = {
  name: 'time-stamps',
  title: 'The logs of the platforms get time stamps',
  category: 'upkeep',
  run: async (context) => {
    await context.instance.get();
    const { 'custody.timestamp_url': url } = await context.config();
    const { logs, reason } = await selectUnstamped(await context.db());
    if (logs === 0) return ok(url === undefined ? 'None is asked for.' : `${url} makes them.`);
    return warning(
      `${counted(logs, 'log')} got no time stamp when one was last asked for: ${reason}.`,
      'Correct custody.timestamp_url, custody.timestamp_ca (certificates of the service, in PEM), or custody.allow_networks, or wait for the service: each log is tried again once a minute.',
    );
  },
};

export const feed: Check = {
  name: 'feed',
  title: 'No long transaction holds up change feeds and webhooks',
  category: 'upkeep',
  run: async (context) => {
    const [first] = await selectFeedHolders(await context.db());
    const { database, holder, seconds } = first ?? {};
    if (!holder || seconds === undefined || seconds === null || seconds < heldSeconds) {
      return ok('None is older than a minute.');
    }
    const [kind, id = ''] = holder.split(/ (?=\S+$)/);
    const end =
      kind === 'process' ? `SELECT pg_terminate_backend(${id})` : `ROLLBACK PREPARED '${id}'`;
    return warning(
      `The ${holder} in the database ${database} has had a transaction open for ${spanText(seconds)}: no feed of a platform and no webhook tells of what has changed since.`,
      `Commit it, or end it in that database: ${end};`,
    );
  },
};

export const logLevel: Check = {
  name: 'log-level',
  title: 'The log is not at the level debug',
  category: 'upkeep',
  run: async (context) => {
    const { 'log.level': configured } = await context.config();
    const running = await context.service.find();
    const now = running && readLevel(context.home.logLevel);
    if (now === 'debug') {
      return warning(
        'The running service logs at the level debug, which fills the log.',
        context.command('logs', 'level', 'default'),
      );
    }
    if (configured !== 'debug') return ok(`It is ${now ?? configured}.`);
    return warning(
      'The configured level of the log is debug, which fills the log.',
      `${context.command('config', 'set', 'log.level', 'info')}; until the next start: ${context.command('logs', 'level', 'info')}`,
    );
  },
};
