import { Argument, Option } from 'commander';
import type { DataSource } from 'typeorm';
import { ExitCode, wrongUsage } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import { FreeDisk } from '../../base/os/machine.js';
import { toBytes, counted, sizeText } from '../../base/units.js';
import { collect } from '../../http/paging/batches.js';
import type { UserRecord } from '../../library/users/schemas.js';
import type { ExportPlan } from '../../ops/export/plan.js';
import type { Sink } from '../../ops/export/sink.js';
import { writeExport, type Written } from '../../ops/export/write.js';
import type { CommandDetails } from '../command.js';
import type { Context } from '../context.js';
import { advising } from '../interrupt.js';
import { withTenants, type OpenTenants } from '../open.js';
import { SilentExit } from '../ui.js';

export const command: CommandDetails = {
  arguments: [new Argument('<dir>', 'An empty or new directory, or "-" for a tar on stdout')],
  options: [
    new Option('--user <id>', 'Everything of this user'),
    new Option('--platform <id>', "Everything of this platform's users"),
  ],
  examples: [
    'export /mnt/usb/export --user USER_ID',
    'export - --platform PLATFORM_ID > platform.tar',
  ],
  run: exportUsers,
};

interface ExportOptions {
  readonly dir: string;
  readonly user?: string;
  readonly platform?: string;
}

async function exportUsers(context: Context, options: ExportOptions): Promise<void> {
  const { dir: target } = options;
  const { TarSink, DirectorySink } = await import('../../ops/export/sink.js');
  const { ui } = context;
  const toStdout = target === '-';
  assertUsage(context, options, toStdout);
  const again = `Run the same command again${toStdout ? '' : ': it continues where it stopped'}.`;
  const written = await advising(again, () =>
    withTenants(context, async (tenants) => {
      const users = await usersOf(tenants, options);
      const subject = options.user ? `user ${options.user}` : `platform ${options.platform}`;
      const sink = toStdout
        ? new TarSink(process.stdout)
        : await DirectorySink.open(target, subject.toLowerCase(), context.home.run);
      return run(context, tenants, users, sink).finally(() => sink.close());
    }),
  );
  const lines = written.damaged.map(({ path, problem }) => `damaged  ${path}: ${problem}`);
  lines.push(
    `${counted(written.files, 'file')} (${sizeText(written.bytes)}) exported, ${written.there.toLocaleString('en')} of them already there; ${written.damaged.length.toLocaleString('en')} damaged.`,
  );
  if (toStdout) ui.progress(lines.join('\n'));
  else ui.result({ document: { directory: target, ...written }, text: lines.join('\n') });
  if (written.damaged.length > 0) throw new SilentExit(ExitCode.different);
}

/** @throws OperatorError (2). */
function assertUsage({ ui }: Context, { user, platform }: ExportOptions, toStdout: boolean): void {
  if ((user === undefined) === (platform === undefined)) {
    throw wrongUsage('Give either --user or --platform.', { setting: '--user' });
  }
  if (toStdout && ui.json) {
    throw wrongUsage('With "-", stdout carries the export, so --json cannot be used.', {
      setting: '--json',
    });
  }
  if (toStdout && process.stdout.isTTY) {
    throw wrongUsage('The export is not written to a terminal.', {
      setting: 'DIR',
      remedy: `Redirect it: ${commandLine('export', '-', '--user', 'ID')} > export.tar`,
    });
  }
}

async function usersOf(
  { users, platforms }: OpenTenants,
  { user, platform = '' }: ExportOptions,
): Promise<{ user: UserRecord; folder: string }[]> {
  if (user !== undefined) return [{ user: await users.get(undefined, user), folder: '' }];
  const { id } = await platforms.get(platform);
  return (await collect(await users.list(id))).map((one) => ({
    user: one,
    folder: `users/${one.id}/`,
  }));
}

async function run(
  { home, ui, interrupted: signal }: Context,
  { db, config, clock, openStore }: OpenTenants,
  users: readonly { user: UserRecord; folder: string }[],
  sink: Sink,
): Promise<Written> {
  const { ImageRecords } = await import('../../library/images/record.js');
  const { ExportPlan } = await import('../../ops/export/plan.js');
  const { Scratch } = await import('../../http/scratch.js');
  const store = await openStore();
  const mark = config['limits.min_free_disk_mb'];
  const plan = await ExportPlan.open({
    clock,
    scratch: new Scratch({
      folder: home.incoming,
      disk: new FreeDisk([home.incoming], mark && toBytes(mark)),
      perCaller: Infinity, // the operator's own disk
      connections: 1,
    }),
    records: new ImageRecords(store, clock),
  });
  try {
    await planUsers(db, plan, users, signal);
    ui.progress(`${counted(plan.files, 'file')}, ${sizeText(plan.bytes)}`);
    const report = ({ files, bytes }: Written): void =>
      ui.progress(`${files.toLocaleString('en')} files, ${sizeText(bytes)}`);
    return await writeExport({ plan, sink, store, signal, report });
  } finally {
    await plan.close();
  }
}

/** Plans all users as of one instant. */
async function planUsers(
  db: DataSource,
  plan: ExportPlan,
  users: readonly { user: UserRecord; folder: string }[],
  signal: AbortSignal,
): Promise<void> {
  await db.transaction('REPEATABLE READ', async (tx) => {
    for (const { user, folder } of users) {
      signal.throwIfAborted();
      await plan.addUser(tx, user, folder);
    }
  });
  await plan.flush();
}
