import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { longOnly } from '../../testkit/long-form.js';
import { jpeg } from '../../testkit/pictures.js';
import { balance } from './accounts.js';
import { halfAnUpload } from './half-upload.js';
import { allGone, startsOf } from '../../testkit/processes.js';
import { appliance } from '../../testkit/appliance.js';

describe('stopping while an upload is under way', { concurrency: 2 }, () => {
  for (const { signal, group, privately } of [
    { signal: 'SIGTERM', group: false, privately: false },
    { signal: 'SIGINT', group: true, privately: true },
  ] as const) {
    test(
      `${signal}${group ? ' to the whole group, like Ctrl-C' : ''}: the upload is finished, then all exit with 0`,
      group ? longOnly : {},
      async (t) => {
        const serving = await appliance(t, { privately });
        const { home, databaseUrl } = serving;
        const before = startsOf(await serving.processes());
        const picture = await jpeg({ width: 1500, height: 1100 });
        const { finish } = await halfAnUpload(serving, picture, serving.user);
        const ended = serving.end(signal, group);
        if (group) process.kill(-serving.pid, signal); // npm forwards the signal that the terminal has sent
        const { status, result } = await finish();
        assert.equal(status, 200);
        assert.equal(result.filesize_mb, Math.round((picture.length / 1048576) * 1e6) / 1e6);
        assert.equal(await ended, 0, serving.log);
        assert.ok(allGone(before));
        assert.deepEqual(await balance(home, databaseUrl), { objects: 3, waiting: 0 });
      },
    );
  }
});
