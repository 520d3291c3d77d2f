import '../../testing/browser';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ImgstoreClient } from '../../core/api';
import type { Access } from './access';
import { byFolder } from './by-folder';
import { Images } from './images';
import type { CountedFolder, Image } from './listing';
import { Selection } from './selection';
import { imageOn, look, settledIn } from './testing';
import { FolderTree } from './tree/tree';
import { allImages } from './view';

interface Asked {
  readonly folder_id?: string;
  readonly last_index?: number;
  readonly page_size: number;
}

/** A library with so many images in each folder: images in them by turns, the newest first. */
class Served {
  all: Image[] = [];
  readonly asked: string[] = [];

  constructor(
    private readonly tree: readonly (readonly [id: string, parent: string, count: number])[],
  ) {
    const most = Math.max(...tree.map(([, , count]) => count));
    for (let n = 0; n < most; n += 1) {
      for (const [id, , count] of tree) {
        const folder_id = id === 'root' ? null : id;
        if (n < count) this.all.push({ ...imageOn(20240301, `${id}-${n}`), folder_id });
      }
    }
  }

  idsIn(...folders: string[]): string[] {
    return folders.flatMap((folder) =>
      this.all.filter((image) => (image.folder_id ?? 'root') === folder).map(({ id }) => id),
    );
  }

  readonly access: Access = {
    userId: 'user',
    session: () => Promise.reject(new Error('none')),
    call: async (send) => {
      const GET = async (path: string, { params: { query } }: { params: { query: Asked } }) => {
        await Promise.resolve();
        const result = path.endsWith('/folders') ? this.#below('root') : this.#list(path, query);
        return { data: { result }, response: new Response() };
      };
      const { data } = await send({ GET } as unknown as ImgstoreClient);
      return data?.result as never;
    },
  };

  #list(path: string, { folder_id: folder, last_index: first = 0, page_size: size }: Asked) {
    if (path.endsWith('/days')) return { days: [{ date: 20240301, count: this.all.length }] };
    this.asked.push(`${folder ?? 'all'} ${first}+${size}`);
    const found = this.all.filter((image) => !folder || (image.folder_id ?? 'root') === folder);
    return { items: found.slice(first, first + size), total_filesize_mb: 1, next_cursor: null };
  }

  #below(parent: string): CountedFolder[] {
    return this.tree
      .filter(([id, above]) => above === parent && id !== 'root')
      .map(([id]) => ({
        id,
        title: id.toUpperCase(),
        parent_id: parent === 'root' ? null : parent,
        image_count: this.idsIn(id).length,
        child_folders: this.#below(id),
      })) as unknown as CountedFolder[];
  }
}

test('folders come in the order of their tree, each read alone when it is in view, and all of them selected', async () => {
  const served = new Served([
    ['root', 'root', 3],
    ['b', 'root', 150],
    ['b1', 'b', 2],
    ['none', 'root', 0],
    ['a', 'root', 40],
  ]);
  const { access } = served;
  const source = byFolder(access, allImages, new FolderTree(access));
  const images = new Images(source);
  const selection = new Selection(images);
  await look(images, 0, 30);
  const ids = served.idsIn('root', 'b', 'b1', 'a');
  assert.deepEqual(
    images.buckets?.days.map(({ date, count }) => [source.nameOf?.(date), count]),
    [
      ['Top level', 3],
      ['B', 150],
      ['B / B1', 2],
      ['A', 40],
    ],
  );
  assert.deepEqual(served.asked, ['all 0+1', 'root 0+3', 'b 0+100']);
  await selection.mark([2, 3, 152, 153, 156], new Map());
  assert.deepEqual(
    selection.ids,
    [2, 3, 152, 153, 156].map((index) => ids[index]),
  );
  await selection.toggleRange(155, 195);
  assert.equal(selection.chosen.value.size, 5 + 39);
  await selection.all();
  assert.deepEqual(selection.ids, ids);

  // The last of a folder goes to one that is not in view.
  const leaving = served.idsIn('root');
  served.all = served.all.map((image) => (image.folder_id ? image : { ...image, folder_id: 'a' }));
  images.refresh(leaving);
  await settledIn(images, 0, 30);
  assert.deepEqual([images.total, images.at(0)?.id], [195, 'b-0']);
  assert.equal(images.buckets?.indexOf({ id: undefined, date: 0, n: 1 }), 0, 'what came after it');
  images.stop();
});
