import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import {
  appendFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { sumOfFile } from '../../src/ops/backup/repository.js';
import { run } from '../../src/base/os/run.js';
import { clusterFiles, clusterPassword } from '../../src/database/postgres/cluster-files.js';
import { asSuperuser, socketUrl, superuser } from '../../src/database/postgres/connect.js';
import { appliance } from '../../testkit/appliance.js';
import { resultOf } from '../../testkit/backups.js';
import { imgstore, newPrivateHome, start, fails } from '../../testkit/command.js';
import { eventually } from '../../testkit/eventually.js';
import { hosted } from '../../testkit/hosted-command.js';
import { longForm } from '../../testkit/long-form.js';
import { jpeg } from '../../testkit/pictures.js';
import { readUntil } from '../../testkit/read-until.js';
import { lastFirst } from '../../testkit/scope.js';
import { temporaryDirectory } from '../../testkit/temporary.js';

interface Kept {
  readonly stretch: string | undefined;
  readonly from: string;
  readonly until: string;
}

interface Restored {
  readonly ok: boolean;
  readonly taken_at: string;
  readonly objects: number;
  readonly damaged: readonly string[];
}

const scope = lastFirst({ after });
const { home, user } = await appliance(scope, { privately: true });
const root = await temporaryDirectory('wal');
scope.after(() => rm(root, { recursive: true, force: true }));
const dir = join(root, 'archive');
const on = ['--home', home.dir, '--json'];
const archiving = ['backup', dir, '--wal', '--home', home.dir];
const env = { IMGSTORE_BACKUP_PASSPHRASE: 'correct horse battery staple' };

interface Archiving {
  readonly signal?: NodeJS.Signals;
  readonly flags?: readonly string[];
}

/** Archives until it is stopped, or killed with `signal`. */
async function archive(
  work: () => Promise<void>,
  { signal = 'SIGINT', flags = [] }: Archiving = {},
) {
  const child = start([...archiving, ...flags], { env });
  const exit = once(child, 'exit');
  const said = text(child.stdout);
  try {
    await readUntil(child.stderr, /^Receiving WAL/m);
    await work();
  } finally {
    child.kill(signal);
    await exit;
  }
  const [, from = '', until = ''] = /any instant from (\S+) to (\S+)\.\n/.exec(await said) ?? [];
  const stretch = (await readdir(join(dir, 'stretches'))).sort().at(-1);
  return { code: child.exitCode, kept: from === '' ? undefined : { stretch, from, until } };
}

async function upload(width: number): Promise<void> {
  await user.upload({}, await jpeg({ width, height: 48 }));
}

const refused = (args: readonly string[], code: number, expected: Parameters<typeof fails>[2]) =>
  fails(hosted([...args, '--json']), code, expected);

/** An instant in the past. */
async function instant(): Promise<string> {
  const now = Date.now();
  await eventually('the clock goes on', () => Date.now() > now + 1);
  return new Date(now + 1).toISOString();
}

const withKey = ['--master-key-file', join(home.secrets, 'master.key')];
const restoring = async (...words: string[]): Promise<string[]> => {
  const target = await newPrivateHome(scope);
  return ['restore', dir, '--home', target.dir, ...withKey, ...words];
};

describe('imgstore backup --wal', () => {
  let between = '';
  let first: Kept | undefined;

  test('receives WAL and objects until it is stopped, only one process at a time', async () => {
    const work = async (): Promise<void> => {
      await upload(64);
      between = await instant();
      await upload(65);
      const other = ['backup', join(root, 'other'), '--wal', '--home', home.dir];
      await refused(other, 1, { code: 'in_use', setting: 'DIR', remedy: 'kill ' });
    };
    const { code, kept } = await archive(work, { flags: ['--with-secrets'] });
    assert.equal(code, 0);
    assert.ok(kept && kept.from < between && between < kept.until, JSON.stringify(kept));
    first = kept;
  });

  test('resumes after kill -9, which leaves its receiver running, and after a full disk', async () => {
    const killed = await archive(() => upload(66), { signal: 'SIGKILL' });
    assert.equal(killed.kept, undefined);
    // In the state that a full disk leaves.
    const wal = join(dir, 'stretches', first?.stretch ?? '', 'wal');
    const last = (await readdir(wal)).find((name) => name.endsWith('.partial')) ?? '';
    await truncate(join(wal, last), 1_000);
    // Links that somebody else left are not written through.
    await rename(wal, join(root, 'wal-elsewhere'));
    await symlink(join(root, 'wal-elsewhere'), wal);
    await refused(archiving, 1, { code: 'symbolic_link', about: wal });
    await rm(wal);
    await rename(join(root, 'wal-elsewhere'), wal);
    await symlink(join(root, 'none'), join(wal, 'link.partial'));
    await refused(archiving, 1, { code: 'damaged', about: join(wal, 'link.partial') });
    await rm(join(wal, 'link.partial'));
    const { kept } = await archive(async () => undefined);
    assert.equal(kept?.stretch, first?.stretch);
    assert.ok((kept?.until ?? '') > (first?.until ?? ''));
  });

  test('restores an instant between two changes with the secrets, and resumes after kill -9', async () => {
    const target = await newPrivateHome(scope);
    const words = ['restore', dir, '--at', between, '--home', target.dir];
    for (const said of [...(longForm ? [/^Replaying WAL/m] : []), /^Restoring objects/m]) {
      const child = start(words, { env });
      const ended = once(child, 'exit');
      await readUntil(child.stderr, said);
      child.kill('SIGKILL');
      await ended;
      assert.ok(existsSync(target.restoring), 'it was not finished');
    }
    const restored = await resultOf<Restored>(imgstore([...words, '--json'], { env }));
    assert.deepEqual(
      [restored.ok, restored.taken_at, restored.objects, restored.damaged],
      [true, between, 2, []],
    );
  });

  test('refuses instants that it does not have, and says which can be restored', async () => {
    const range = { setting: '--at', remedy: `from ${first?.from} to 2` };
    for (const at of ['2020-01-01T00:00:00Z', '2120-01-01T00:00:00Z']) {
      await refused(await restoring('--at', at), 1, range);
    }
    for (const at of ['yesterday', '2026-11-22 14:00']) {
      await refused(await restoring('--at', at), 2, { setting: '--at', remedy: 'T14:00:00Z' });
    }
    // The current instant has not been received yet, which only the WAL shows.
    const words = await restoring('--at', await instant());
    await refused(words, 1, range);
    const target = words[3] ?? '';
    assert.equal(
      existsSync(join(target, 'restoring.json')),
      false,
      'another instant may be chosen',
    );
  });

  test('restores nothing that somebody else wrote into the archive', async () => {
    const at = (name: string): string => join(dir, 'stretches', first?.stretch ?? '', name);
    const attack = async (name: string, work: (bytes: Buffer) => Buffer): Promise<void> => {
      const bytes = await readFile(at(name));
      await writeFile(at(name), work(bytes));
      await refused(await restoring('--at', between), 1, { code: 'damaged', about: name });
      await writeFile(at(name), bytes);
    };
    // A base backup with a command and a link, and the record that fits to it.
    const evil = join(root, 'evil');
    await mkdir(evil);
    const victim = join(root, 'victim');
    await writeFile(victim, 'untouched');
    await run('tar', ['-xzf', at('base.tar.gz'), '-C', evil]);
    await appendFile(
      join(evil, 'postgresql.auto.conf'),
      `archive_command = 'touch ${victim}.ran'\n`,
    );
    await appendFile(join(evil, 'postgresql.conf'), `shared_preload_libraries = 'nothing'\n`);
    const base = await readFile(at('base.tar.gz'));
    const record = await readFile(at('stretch.json'), 'utf8');
    const forge = async (): Promise<void> => {
      await run('tar', ['-czf', at('base.tar.gz'), '-C', evil, '.']);
      const { mac, ...stretch } = JSON.parse(record) as { mac: string };
      assert.match(mac, /^[0-9a-f]{64}$/);
      const forged = { ...stretch, base: await sumOfFile(at('base.tar.gz')) };
      await writeFile(at('stretch.json'), JSON.stringify(forged));
    };
    await forge();
    await refused(await restoring('--at', between), 1, {
      code: 'not_authentic',
      remedy: '--unauthenticated',
    });
    const trusting = ['--at', between, '--unauthenticated'];
    // PostgreSQL's own manifest notices a changed file, unless that is gone as well.
    await refused(await restoring(...trusting), 1, { code: 'damaged', setting: 'DIR' });
    await rm(join(evil, 'backup_manifest'));
    await symlink(victim, join(evil, 'recovery_hba.conf'));
    await forge();
    await refused(await restoring(...trusting), 1, { code: 'damaged', about: 'recovery_hba.conf' });
    await rm(join(evil, 'recovery_hba.conf'));
    await writeFile(join(evil, 'standby.signal'), '');
    await forge();
    const words = [...(await restoring(...trusting)), '--json'];
    const foreign = { TAR_OPTIONS: '--exclude=PG_VERSION' };
    const restored = await resultOf<Restored>(imgstore(words, { env: foreign }));
    assert.equal(restored.ok, true);
    assert.equal(await readFile(victim, 'utf8'), 'untouched');
    assert.equal(existsSync(`${victim}.ran`), false);
    await writeFile(at('base.tar.gz'), base);
    await writeFile(at('stretch.json'), record);

    const [segment = ''] = (await readdir(at('wal'))).sort();
    const flip = (bytes: Buffer): Buffer => {
      const copy = Buffer.from(bytes);
      copy[100] = (copy[100] ?? 0) ^ 1;
      return copy;
    };
    await attack(`wal/${segment}`, flip);
    await rename(at('wal'), join(root, 'wal-aside'));
    await symlink(join(root, 'wal-aside'), at('wal'));
    await refused(await restoring('--at', between), 1, { code: 'missing', about: segment });
    await rm(at('wal'));
    await rename(join(root, 'wal-aside'), at('wal'));

    const last = (await readdir(at('wal'))).find((name) => name.endsWith('.partial')) ?? '';
    await rename(at(`wal/${last}`), join(root, last));
    const { remedy = '' } = await refused(await restoring(), 1, { code: 'missing' });
    const [, end = ''] = /--at (\S+)/.exec(remedy) ?? [];
    await rename(join(root, last), at(`wal/${last}`));
    assert.ok(end < (first?.until ?? ''), end);
  });

  test('refuses unsupported options', async () => {
    const foreign = [...archiving, '--database-url', 'postgresql://nobody@127.0.0.1:1/none'];
    await refused(foreign, 78, { setting: 'database.url', remedy: 'pgBackRest' });
    const archiveTo = (place: string) => ['backup', place, '--wal', '--home', home.dir];
    for (const place of ['-', 's3://bucket']) {
      await refused(archiveTo(place), 2, { setting: 'DIR', about: place });
    }
    await writeFile(join(root, 'notes.txt'), 'x');
    await refused(archiveTo(root), 1, { code: 'not_empty', setting: 'DIR' });
    const toArchive = ['backup', dir, '--home', home.dir];
    await refused(toArchive, 1, { code: 'not_empty', about: '--wal' });
    const proving = ['verify', 'backup', dir, '--home', home.dir];
    await refused(proving, 1, { setting: 'DIR', remedy: `restore ${dir}` });
    const words = await restoring('--generation', 'x');
    await refused(words, 2, { remedy: '--at' });
  });

  test('starts again if the server had to remove WAL; doctor reports both', async () => {
    const doctor = ['doctor', '--only', 'wal', ...on];
    const doctorOutput = async (): Promise<string> => (await hosted(doctor)).stdout;
    assert.match(await doctorOutput(), /WAL is not being received/);
    const files = clusterFiles(home);
    const password = await clusterPassword(files, false);
    await asSuperuser(socketUrl(files.socketDir, password, { user: superuser }), [
      `ALTER SYSTEM SET max_slot_wal_keep_size = '16MB'`,
      'SELECT pg_reload_conf()',
      ...[1, 2, 3, 4].flatMap((n) => [
        `SELECT pg_logical_emit_message(true, 'test', '${n}')`,
        'SELECT pg_switch_wal()',
      ]),
      'CHECKPOINT',
    ]);
    assert.match(await doctorOutput(), /The WAL archive has a gap/);
    const [object = ''] = (await readdir(join(dir, 'objects'), { recursive: true })).filter(
      (path) => path.includes('thumb'),
    );
    const { kept } = await archive(async () => {
      assert.match(await doctorOutput(), /WAL is being received/);
      await rm(join(dir, 'objects', object));
    });
    assert.ok(kept && kept.stretch !== first?.stretch);
    assert.equal((await readdir(join(dir, 'stretches'))).length, 2);
    const record = JSON.parse(await readFile(home.walRecord, 'utf8')) as { until: string };
    assert.equal(record.until, kept.until);

    // The end of the WAL, for which an object is missing.
    const restored = await resultOf<Restored>(imgstore([...(await restoring()), '--json']), 3);
    assert.deepEqual([restored.objects, restored.damaged], [6, [object]]);
  });
});
