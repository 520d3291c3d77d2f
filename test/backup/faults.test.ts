import assert from 'node:assert/strict';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { damageObjects, fileFaults, type FileFault } from '../../testkit/backup-faults.js';
import {
  manifestOf,
  verifyBackup,
  resultOf,
  scratchUrl,
  type MadeBackup,
  type VerifiedBackup,
} from '../../testkit/backups.js';
import { hosted } from '../../testkit/hosted-command.js';
import { lastFirst } from '../../testkit/scope.js';
import { ownService } from '../../testkit/service.js';
import { temporaryDirectory } from '../../testkit/temporary.js';

const scope = lastFirst({ after });
const service = await ownService(scope);
const album = await service.user();
const scratch = await scratchUrl(scope);
const root = await temporaryDirectory('faults');
scope.after(() => rm(root, { recursive: true, force: true }));
const { url = '' } = service.db.options as { url?: string };

const whole = join(root, 'whole');
const on = ['--home', service.home.dir, '--database-url', url, '--json'];
const backUp = () => resultOf<MadeBackup>(hosted(['backup', whole, '--copy', ...on]));

for (let n = 0; n < 6; n += 1) await album.upload();
const { generation: older } = await backUp();
await album.upload();
const { generation: latest } = await backUp();

/** Verifies a damaged copy. @returns types and subjects of the findings. */
async function found(
  t: { after(end: () => Promise<void>): void },
  damage: (dir: string) => Promise<unknown>,
) {
  const dir = join(root, 'damaged');
  await cp(whole, dir, { recursive: true });
  t.after(() => rm(dir, { recursive: true }));
  await damage(dir);
  const { faults, faults_total } = await resultOf<VerifiedBackup>(verifyBackup(dir, scratch), 3);
  assert.equal(faults.length, faults_total);
  return faults.map(({ kind, subject }) => `${kind} ${subject}`).sort();
}

const faultsOf = (name: FileFault['file']): FileFault[] =>
  fileFaults.filter(({ file }) => file === name);

// A damaged dump is not restored, which saves most of the time.
const records = faultsOf('backup.json').map((fault) => [fault]);
const dumps = faultsOf('database.dump').map((fault) => [fault]);
const manifests = faultsOf('manifest.ndjson').map((fault, n) => [fault, ...(dumps[n] ?? [])]);
const manifestAlone = faultsOf('manifest.ndjson').slice(0, 1);

describe('imgstore verify backup', () => {
  test('reports every damaged object once, and no others', async (t) => {
    const entries = await manifestOf(whole, latest);
    let expected: string[] = [];
    const faults = await found(t, async (dir) => {
      expected = await damageObjects(dir, entries, 12);
    });
    assert.deepEqual(faults, expected);
  });

  for (const together of [manifestAlone, ...manifests, ...records, ...dumps.slice(0, 1)]) {
    test(`reports ${together.map(({ what }) => what).join(' and ')}, and nothing else`, async (t) => {
      const faults = await found(t, async (dir) => {
        for (const { damage } of together) await damage({ dir, latest, older });
      });
      const named = together.map(({ kind, file }) => `${kind} generations/${latest}/${file}`);
      assert.deepEqual(faults, named.sort());
    });
  }

  test('finds no faults in an intact older backup', async () => {
    const proving = verifyBackup(whole, scratch, ['--generation', older]);
    const { ok, faults } = await resultOf<VerifiedBackup>(proving);
    assert.deepEqual([ok, faults], [true, []]);
  });
});
