import { once } from 'node:events';
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { homeWithCluster } from '../../../testkit/copied-home.js';
import { eventually } from '../../../testkit/eventually.js';
import { waitForLock } from '../../base/os/process-lock.js';
import { run } from '../../base/os/run.js';
import { checkDatabase } from './check-external.js';
import { clusterFiles, clusterPassword, serverIdentity } from './cluster-files.js';
import { socketUrl } from './connect.js';
import { requireEngine } from './ensure-engine.js';
import { launchPostmaster } from './postmaster.js';

test('a database that is starting up is waited for', async (t) => {
  const home = await homeWithCluster(t);
  const data = join(home.database, 'cluster');
  const engine = await requireEngine(join(home.database, 'engine'));
  const identity = await serverIdentity(data);
  // A standby that accepts no connections until it becomes a primary.
  await writeFile(join(data, 'standby.signal'), '');
  await appendFile(join(data, 'postgresql.auto.conf'), 'hot_standby = off\n');
  const files = clusterFiles(home);
  const use = await waitForLock(files.users, 'shared');
  const lock = await waitForLock(files.lock, 'exclusive');
  const server = await launchPostmaster(files, engine, identity, lock);
  t.after(() => server.kill('SIGQUIT'));
  await lock.release();
  const url = socketUrl(files.socketDir, await clusterPassword(files, false));
  await eventually('it says that it is starting up', () =>
    new pg.Client({ connectionString: url }).connect().then(
      () => false,
      (error: unknown) => (error as { code?: string }).code === '57P03',
    ),
  );
  const checked = checkDatabase(url);
  // It refuses until the server has noted that it is a standby.
  await eventually('it can be promoted', async () => {
    const words = ['promote', '-W', '-D', data];
    const { code } = await run(join(engine.bin, 'pg_ctl'), words, {
      as: identity,
      env: engine.env,
    });
    return code === 0;
  });
  await checked;
  server.ref();
  const ended = once(server, 'exit');
  await use.release(); // nobody uses it any more
  await ended;
});
