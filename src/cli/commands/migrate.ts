import { Option } from 'commander';
import { wrongUsage } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import type { ConnectedDatabase } from '../../ops/service-database.js';
import type { MadeDump, MigrationPlan } from '../../ops/upgrade/dump.js';
import { counted, sizeText, spanText } from '../../base/units.js';
import type { CommandDetails } from '../command.js';
import type { Context } from '../context.js';
import { connectDatabase } from '../open.js';

export const command: CommandDetails = {
  options: [
    new Option('--plan', 'Describe pending migrations without applying them'),
    new Option('--status', 'List migrations without applying them'),
    new Option('--no-dump', 'Do not dump the database into the home first'),
  ],
  settings: ['database.url'],
  examples: ['migrate --plan', 'migrate'],
  run: migrateDatabase,
};

interface MigrateOptions {
  readonly status?: boolean;
  readonly plan?: boolean;
  /** False for `--no-dump`. */
  readonly dump: boolean;
}

async function migrateDatabase(context: Context, options: MigrateOptions): Promise<void> {
  if (options.status && options.plan) {
    throw wrongUsage('--status and --plan cannot be combined.', {
      setting: '--plan',
      remedy:
        'Leave one of them out: --status lists all migrations, --plan describes pending ones.',
    });
  }
  const { values: config } = await context.settings();
  const connected = await connectDatabase(context, config);
  try {
    if (options.plan) await showPlan(context, connected);
    else if (options.status) await showStatus(context, connected);
    else await apply(context, connected, options.dump);
  } finally {
    await connected.close();
  }
}

async function apply(context: Context, { db, url }: ConnectedDatabase, dumps: boolean) {
  const { migrate } = await import('../../database/migrations.js');
  const { dumpBeforeMigrating, rollbackHint } = await import('../../ops/upgrade/dump.js');
  const { startFeedClock } = await import('../../feed/changes/upkeep.js');
  const { repairSchema } = await import('../../ops/schema.js');
  const { home, ui, interrupted: signal } = context;
  const { progress: report } = ui;
  let dump: MadeDump | undefined;
  const applied = await migrate(db, report, async () => {
    if (dumps) dump = await dumpBeforeMigrating({ home, db, url, report, signal });
    signal.throwIfAborted();
  });
  await startFeedClock(db);
  const mended = await repairSchema(db, report);
  if (mended.length > 0) {
    const now = commandLine('verify', 'accounts', '--repair');
    ui.warn(`The schema is now repaired by "${now}"; from imgstore 0.5, migrate does not`);
  }
  const done = [
    ...(applied.length > 0 ? [`Applied: ${applied.join(', ')}.`] : []),
    ...(mended.length > 0 ? [`Repaired: ${mended.join(', ')}.`] : []),
    ...(dump ? [`${rollbackHint(home.dir, dump.file)}.`] : []),
  ];
  const document = { applied, mended, dump: dump ?? null, migrations: await statusOf(db) };
  ui.result({ document, text: done.join('\n') || 'Nothing to do.' });
}

const statusOf = async (db: ConnectedDatabase['db']) => {
  const { migrationStatus } = await import('../../database/migrations.js');
  return (await migrationStatus(db)).map(({ name, appliedAt }) => ({
    name,
    applied_at: appliedAt?.toISOString() ?? null,
  }));
};

async function showStatus({ ui }: Context, { db }: ConnectedDatabase): Promise<void> {
  const migrations = await statusOf(db);
  const lines = migrations.map((m) => `${m.name}  ${m.applied_at ?? 'pending'}`);
  ui.result({ document: { applied: [], mended: [], migrations }, text: lines.join('\n') });
}

async function showPlan({ ui }: Context, { db }: ConnectedDatabase): Promise<void> {
  const { planMigrations } = await import('../../ops/upgrade/dump.js');
  const plan = await planMigrations(db);
  ui.result({ document: plan, text: planText(plan) });
}

function planText({ pending, dump }: MigrationPlan): string {
  if (pending.length === 0) return 'No migration is pending.';
  const first =
    dump &&
    `First, a dump of the database is made: ${sizeText(dump.table_bytes)} of tables, at most ${sizeText(dump.bytes)} on disk, about ${spanText(dump.seconds)}.`;
  return [...(first === null ? [] : [first]), ...pending.map(migrationText)].join('\n');
}

const waiting = {
  nothing: 'nothing waits for long',
  changes: 'changes wait, reads do not',
  everything: 'reads and changes wait',
} as const;

function migrationText({ name, does, holds, reads }: MigrationPlan['pending'][number]): string {
  const scanned = reads.map(
    ({ table, rows, bytes }) => `${table} (${counted(rows, 'row')}, ${sizeText(bytes)})`,
  );
  const size = scanned.length > 0 ? `; scans ${scanned.join(', ')}` : '';
  return `${name}\n  ${does}\n  While it runs, ${waiting[holds]}${size}.`;
}
