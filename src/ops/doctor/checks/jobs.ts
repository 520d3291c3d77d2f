import { spanText, dayMs, hourMs, minuteMs, secondMs } from '../../../base/units.js';
import { readJobRecords } from '../../jobs/job-records.js';
import { scheduledJobs } from '../../jobs/scheduled-jobs.js';
import { createLogger } from '../../../base/telemetry/logger.js';
import { ok, problem, warning, type Check } from '../check.js';

/**
 * Tolerated delay of a job beyond one missed run: it waits for other nodes, and for its own
 * previous run.
 */
const graceMs = 10 * minuteMs;

/** How often a job runs, by the first two fields of its cron expression. */
export function periodOf(when: string): number {
  const [minute = '', hour = ''] = when.split(' ');
  if (hour !== '*') return dayMs;
  if (minute === '*') return minuteMs;
  const every = /\/(\d+)$/.exec(minute)?.[1];
  return every === undefined ? hourMs : Number(every) * minuteMs;
}

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
    const records = await readJobRecords(context.home.jobRecords);
    const overdue = scheduledJobs({ db, store, config, logger }).flatMap(({ name, when }) => {
      const ended = Date.parse(records.find(({ job }) => job === name)?.ended_at ?? '');
      const idle = Date.now() - Math.max(startedAt.getTime(), ended || 0);
      if (idle <= 2 * periodOf(when) + graceMs) return [];
      return [`"${name}" has not run for ${spanText(idle / secondMs)}`];
    });
    if (overdue.length > 0) {
      return problem(
        `${overdue.join('; ')}.`,
        `Restart the service (systemctl restart imgstore, or kill ${pid} and ${context.command('serve')}); its log shows what it is waiting for.`,
      );
    }
    const failed = records.filter(({ error }) => error !== null);
    if (failed.length === 0) return ok('None is overdue, and none failed.');
    return warning(
      failed.map(({ job, error }) => `"${job}" failed: ${error}.`).join(' '),
      `It is retried when it is next due. See the log of the service, such as: journalctl -u imgstore -g 'job failed'; state of all: ${context.command('status')}`,
    );
  },
};
