import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Home } from '../../base/config/home.js';
import { clusterFiles } from './cluster-files.js';

test('the folder of the socket is one that libpq understands', () => {
  const folder = (dir: string) => clusterFiles(new Home(dir)).socketDir;
  assert.equal(folder('/srv/é %x'), '/srv/é %x/run/postgresql');
  for (const dir of ['/srv/a,b', `/srv/${'long'.repeat(30)}`])
    assert.match(folder(dir), /^\/tmp\/imgstore-[0-9a-f]{16}$/);
});
