import type { Command } from 'commander';
import { runs } from '../context.js';
import { connectDatabase } from '../database.js';

export function registerMigrate(program: Command): void {
  runs<{ status?: boolean }>(
    program
      .command('migrate')
      .description('bring the database up to this program')
      .option('--status', 'list the migrations instead'),
    async (context, { status }) => {
      const { migrate, migrationStatus } = await import('../../database/migrations.js');
      const { values: config } = await context.settings();
      const { db, close } = await connectDatabase(context, config);
      try {
        const applied = status ? [] : await migrate(db, context.ui.progress);
        const migrations = (await migrationStatus(db)).map(({ name, appliedAt }) => ({
          name,
          applied_at: appliedAt?.toISOString() ?? null,
        }));
        const lines = migrations.map((m) => `${m.name}  ${m.applied_at ?? 'pending'}`);
        const done = applied.length === 0 ? 'Nothing to do.' : `Applied: ${applied.join(', ')}.`;
        const text = status ? lines.join('\n') : done;
        context.ui.result({ document: { applied, migrations }, text });
      } finally {
        await close();
      }
    },
  );
}
