import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { jpeg } from '../../testkit/pictures.js';
import { program, postmasterPid } from '../../testkit/command.js';
import { appliance } from '../../testkit/appliance.js';

// A second container with the same volume sees the home but none of the processes.
const unshare = [
  '--pid',
  '--fork',
  '--mount-proc',
  ...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']),
];
const able = spawnSync('unshare', [...unshare, 'true']).status === 0;
const skip = able ? false : 'this kernel does not permit PID namespaces';

test(
  'a command in another container joins the running database, and leaves it running',
  { skip },
  async (t) => {
    const serving = await appliance(t, { privately: true });
    const { home, user } = serving;
    const pid = await postmasterPid(home);
    const command = [process.execPath, program, 'platform', 'create', '--name', 'x'];
    const [code, stderr] = await new Promise<[unknown, string]>((resolve) => {
      execFile('unshare', [...unshare, ...command, '--home', home.dir], (error, _out, reported) => {
        resolve([error?.code, reported]);
      });
    });
    assert.equal(code, undefined, stderr);
    assert.equal(await postmasterPid(home), pid);
    const picture = await jpeg({ width: 40, height: 30 });
    const { status, result } = await user.tryUpload({}, picture);
    assert.equal(status, 200);
    await user.expectBytes(result.id, picture);
    assert.equal(await serving.end('SIGTERM'), 0);
  },
);
