import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rootAt } from '../../../testkit/tlog.js';
import { emptyRoot, leafHash, nodeHash } from './crypto.js';
import { rootOfPath } from './merkle.js';
import { bundles, DamagedLog, entriesOf, firstOf, Tree } from './tree.js';

/** Whether a path leads from a leaf to a root. */
const leads = (
  hash: Buffer,
  path: readonly Buffer[],
  place: { readonly index: number; readonly size: number },
  root: Buffer,
): boolean => root.equals(rootOfPath(place, hash, path, nodeHash) ?? Buffer.alloc(0));

/** Tiles in memory, as a log saves them. */
class Stored {
  readonly tiles = new Map<string, Buffer>();
  size = 0;

  open(): Tree {
    return new Tree(async (level, n) => this.tiles.get(`${level}/${n}`), this.size);
  }

  /** Appends as a job does: whatever follows reads what was saved. */
  async append(entries: readonly Buffer[]): Promise<Tree> {
    const tree = this.open();
    for (const entry of entries) await tree.append(entry);
    for (const { level, n, data } of tree.changed) this.tiles.set(`${level}/${n}`, data);
    this.size = tree.size;
    return this.open();
  }
}

const numbered = (from: number, to: number): Buffer[] =>
  Array.from({ length: to - from }, (_, i) => Buffer.from(`entry ${from + i}`));

describe('the tree', () => {
  test('has the roots of the vectors of Certificate Transparency', async () => {
    const leaves =
      ',00,10,2021,3031,40414243,5051525354555657,606162636465666768696a6b6c6d6e6f'.split(',');
    const roots = [
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
      'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
      '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
      'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
      '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
    ];
    const stored = new Stored();
    assert.equal((await stored.open().root()).toString('hex'), emptyRoot.toString('hex'));
    for (const [n, leaf] of leaves.entries()) {
      const tree = await stored.append([Buffer.from(leaf, 'hex')]);
      assert.equal((await tree.root()).toString('hex'), roots[n]);
    }
  });

  test('grows in any steps, and has every earlier root and path', async () => {
    const entries = numbered(0, 1_500);
    const stored = new Stored();
    for (let from = 0, step = 1; from < entries.length; from += step, step = (step * 7) % 97) {
      await stored.append(entries.slice(from, from + step));
    }
    const tree = stored.open();
    assert.equal(tree.size, entries.length);
    const whole = new Stored();
    await whole.append(entries);
    assert.deepEqual([...stored.tiles].sort(), [...whole.tiles].sort());
    for (const size of [1, 2, 3, 255, 256, 257, 511, 512, 1_024, 1_499, 1_500]) {
      const root = await tree.root(size);
      assert.equal(root.toString('base64'), rootAt(entries, size), `root at ${size}`);
      for (const index of [0, 1, 127, 255, 256, 700, size - 1].filter((i) => i < size)) {
        const path = await tree.path(index, size);
        const hash = leafHash(entries[index] ?? Buffer.alloc(0));
        assert.ok(leads(hash, path, { index, size }, root), `${index} of ${size}`);
        const [other = hash, ...rest] = path;
        for (const wrong of [rest, [...path, hash], [hash, ...rest]]) {
          if (wrong.length === path.length && other === hash) continue;
          assert.ok(!leads(hash, wrong, { index, size }, root));
        }
        assert.ok(!leads(hash, path, { index: index + 1, size }, root));
      }
    }
  });

  test('a tile is cut at its width, and one that is shorter is refused', async () => {
    const stored = new Stored();
    await stored.append(numbered(0, 10));
    const [hashes, entries] = [stored.tiles.get('0/0'), stored.tiles.get(`${bundles}/0`)];
    assert.ok(hashes && entries);
    assert.equal(firstOf(0, hashes, 10)?.length, 320);
    assert.equal(firstOf(0, hashes, 3)?.length, 96);
    assert.equal(firstOf(0, hashes, 11), undefined);
    assert.deepEqual(entriesOf(firstOf(bundles, entries, 3) ?? entries), numbered(0, 3));
    assert.equal(firstOf(bundles, entries, 11), undefined);
    assert.throws(() => entriesOf(entries.subarray(0, -1)), RangeError);
    stored.tiles.set('0/0', hashes.subarray(32));
    await assert.rejects(stored.open().append(Buffer.from('more')), DamagedLog);
    await assert.rejects(stored.open().root(), DamagedLog);
  });
});
