import type { Command } from 'commander';
import { runs } from '../context.js';
import { connectDatabase } from '../database.js';

export function registerMigrate(program: Command): void {
  runs<{ status?: boolean }>(
    program
      .command('migrate')
      .description('bring the database up to this program, and mend what is missing of its schema')
      .option('--status', 'list the migrations instead'),
    async (context, { status }) => {
      const { migrate, migrationStatus } = await import('../../database/migrations.js');
      const { mendSchema } = await import('../../operations/schema/mend.js');
      const { values: config } = await context.settings();
      const { db, close } = await connectDatabase(context, config);
      try {
        const applied = status ? [] : await migrate(db, context.ui.progress);
        const mended = status ? [] : await mendSchema(db, context.ui.progress);
        const migrations = (await migrationStatus(db)).map(({ name, appliedAt }) => ({
          name,
          applied_at: appliedAt?.toISOString() ?? null,
        }));
        const lines = migrations.map((m) => `${m.name}  ${m.applied_at ?? 'pending'}`);
        const done = [
          ...(applied.length > 0 ? [`Applied: ${applied.join(', ')}.`] : []),
          ...(mended.length > 0 ? [`Mended: ${mended.join(', ')}.`] : []),
        ];
        const text = status ? lines.join('\n') : done.join('\n') || 'Nothing to do.';
        context.ui.result({ document: { applied, mended, migrations }, text });
      } finally {
        await close();
      }
    },
  );
}
