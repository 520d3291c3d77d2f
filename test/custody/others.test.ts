import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run } from '../../src/base/os/run.js';
import { logged, proofOf, PublishedLog } from '../../testkit/custody.js';
import { seedImages } from '../../testkit/image-rows.js';
import { needs, programs } from '../../testkit/programs.js';
import { ownService } from '../../testkit/service.js';
import { temporaryDirectory } from '../../testkit/temporary.js';

/** Compiled, this is in dist/test/custody. */
const source = fileURLToPath(new URL('../../../test/custody/others/main.go', import.meta.url));

test("Go's own packages verify logs and proofs", await needs(programs.go), async () => {
  const service = await ownService({ after });
  const folder = await temporaryDirectory('others');
  after(() => rm(folder, { recursive: true, force: true }));
  const env = { GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOCACHE: join(folder, 'cache') };
  const program = join(folder, 'check');
  const built = await run('go', ['build', '-o', program, source], { env });
  assert.equal(built.code, 0, built.output);

  const user = await (await service.platform()).user();
  const log = PublishedLog.of(user.tenant);
  const [older, proof] = [join(folder, 'older.txt'), join(folder, 'proof.txt')];
  const check = () =>
    run(program, [`${service.client.base}/log/${user.platformId}`, older, proof], {
      env: { TOKEN: user.tenant.token },
    });
  const seed = async (count: number): Promise<string[]> => {
    const ids = await seedImages(service, user, Array<object>(count).fill({}));
    await logged(service.db);
    return ids;
  };
  const [image = ''] = await seed(300);
  await writeFile(older, await log.checkpoint());
  await user.put(`/images/${image}`, { latitude: '37.5', longitude: '127' });
  await seed(299);
  await writeFile(proof, await proofOf(user, image));

  const checked = await check();
  assert.equal(checked.code, 0, checked.output);
  assert.equal(
    checked.stdout,
    `600 entries are in the tree
it has grown from 300
the proof leads from entry 300 to a checkpoint of 600
`,
  );
  // And they would notice.
  const text = await proofOf(user, image);
  await writeFile(proof, text.replace('\nindex 300\n', '\nindex 299\n'));
  const wrong = await check();
  assert.equal(wrong.code, 1);
  assert.match(wrong.output, /^the proof: invalid/m);
});
