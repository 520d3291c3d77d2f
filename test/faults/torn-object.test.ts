import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, truncate, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import pg from 'pg';
import { jpeg } from '../../testkit/pictures.js';
import { appliance } from '../../testkit/appliance.js';
import { eventually } from '../../testkit/eventually.js';

const serving = await appliance({ after });
const { home, user, databaseUrl } = serving;
const image = await user.upload({}, await jpeg());
const files = await readdir(home.store, { recursive: true });
const path = join(home.store, files.find((file) => file.endsWith('original.jpg')) ?? '');

/** More than the buffers between the disk and a client that does not read can hold. */
const size = 40_000_000;

/** Sets the size in its rows, too. */
const database = new pg.Client(databaseUrl);
await database.connect();
await database.query('UPDATE images SET bytes = $1', [size]);
await database.end();

/** Starts a download of the object whose body is not read yet. */
async function begun(target: string): Promise<IncomingMessage> {
  await writeFile(path, Buffer.alloc(size));
  const headers = target === image.org_path_url ? {} : { authorization: `User ${user.token}` };
  const request = get(target, { headers, agent: false });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  request.on('error', () => undefined);
  assert.equal(answer.statusCode, 200);
  await once(answer, 'readable');
  return answer;
}

const day = image.created_at.slice(0, 8);
const query = `view_type=list&download=True&search=jpg&date=${day}`;
const archive = `${serving.url}${user.images}?${query}`;

for (const [what, target] of [
  ['a signed URL', image.org_path_url],
  ['an archive', archive],
] as const) {
  describe(what, () => {
    test('is cut off, and the reason is logged, when the object gets shorter during the read', async () => {
      const before = serving.log.length;
      const answer = await begun(target);
      await truncate(path, 1_000_000);
      await assert.rejects(buffer(answer));
      const reported = () => serving.log.slice(before);
      await eventually('it is logged', async () => /"level":"error"/.test(reported()));
      assert.match(reported(), /shorter than expected|unexpected number of bytes/);
    });

    test('logs nothing when the client disconnects', async () => {
      const before = serving.log.length;
      (await begun(target)).destroy();
      assert.equal((await fetch(`${serving.url}/livez`)).status, 200);
      assert.doesNotMatch(serving.log.slice(before), /"level":"(warn|error)"/);
    });
  });
}
