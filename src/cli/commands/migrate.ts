import { startFeedClock } from '../../changes/clock.js';
import { migrate, migrationStatus } from '../../database/migrations.js';
import { repairSchema } from '../../operations/schema/repair.js';
import type { Context } from '../context.js';
import { connectDatabase } from '../database.js';

export async function migrateDatabase(
  context: Context,
  { status }: { status?: boolean },
): Promise<void> {
  const { values: config } = await context.settings();
  const { db, close } = await connectDatabase(context, config);
  try {
    const applied = status ? [] : await migrate(db, context.ui.progress);
    if (!status) await startFeedClock(db);
    const mended = status ? [] : await repairSchema(db, context.ui.progress);
    const migrations = (await migrationStatus(db)).map(({ name, appliedAt }) => ({
      name,
      applied_at: appliedAt?.toISOString() ?? null,
    }));
    const lines = migrations.map((m) => `${m.name}  ${m.applied_at ?? 'pending'}`);
    const done = [
      ...(applied.length > 0 ? [`Applied: ${applied.join(', ')}.`] : []),
      ...(mended.length > 0 ? [`Repaired: ${mended.join(', ')}.`] : []),
    ];
    const text = status ? lines.join('\n') : done.join('\n') || 'Nothing to do.';
    context.ui.result({ document: { applied, mended, migrations }, text });
  } finally {
    await close();
  }
}
