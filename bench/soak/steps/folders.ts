import assert from 'node:assert/strict';
import type { Contents, Folder } from '../../../testkit/records.js';
import { matchesTrash } from '../model.js';
import { flat, sameFolder, sameFolders, sameImages, sizeOf } from '../compare.js';
import { askedTrash, step } from '../step.js';

export const folderSteps = [
  step(5, 'create a folder', async (user) => {
    const { random, model } = user;
    const parent = random.of([undefined, ...model.folders.active]);
    const title = user.title();
    const form = { title, ...(parent && { parent_id: parent.id }) };
    const record = await user.post<Folder>('/folders', form);
    const folder = { id: record.id, title, parentId: parent?.id ?? null, trash: null };
    model.folders.add(folder);
    sameFolder(record, folder);
    await user.denied(user.member.post('/folders', form), 400, 'folder_exists');
  }),

  step(3, 'move and rename a folder', async (user) => {
    const { random, model } = user;
    const folder = random.of(model.folders.active);
    if (!folder) return;
    const parent = random.of([undefined, ...model.folders.active]);
    const form = { title: user.title(), parent_id: parent?.id ?? ' ' };
    if (parent && model.folders.subtree(folder.id).has(parent.id)) {
      const asked = user.member.put(`/folders/${folder.id}`, form);
      return user.denied(asked, 400, 'folder_cycle');
    }
    const record = await user.put<Folder>(`/folders/${folder.id}`, form);
    Object.assign(folder, { title: form.title, parentId: parent?.id ?? null });
    sameFolder(record, folder);
  }),

  step(2, 'trash a folder', async (user) => {
    const folder = user.random.of(user.model.folders.active);
    if (!folder) return;
    const record = await user.put<Folder>(`/folders/${folder.id}`, {}, { delete: 'true' });
    user.model.trashFolder(folder.id);
    sameFolder(record, folder);
  }),

  step(2, 'restore a folder', async (user) => {
    const folder = user.random.of(user.model.folders.trashed);
    if (!folder) return;
    const record = await user.put<Folder>(`/folders/${folder.id}`, {}, { delete: 'false' });
    user.model.restoreFolder(folder.id);
    sameFolder(record, folder);
  }),

  step(1, 'delete a folder', async (user) => {
    const folder = user.random.of(user.model.folders.all);
    if (!folder) return;
    const gone = await user.delete<{ deleted_folders: string[]; deleted_images: string[] }>(
      `/folders/${folder.id}`,
    );
    const expected = user.model.removeFolder(folder.id);
    assert.deepEqual(gone.deleted_folders.sort(), expected.folders.sort());
    assert.deepEqual(gone.deleted_images.sort(), expected.images.sort());
  }),

  step(3, 'read all folders', async (user) => {
    const { trash, query } = askedTrash(user.random);
    const tree = await user.get<Folder[]>('/folders', query);
    sameFolders(
      flat(tree),
      user.model.folders.all.filter((folder) => matchesTrash(folder, trash)),
    );
  }),

  step(4, 'read the contents of a folder', async (user) => {
    const { random, model } = user;
    const folder = random.of([undefined, ...model.folders.all]);
    const { trash, query } = askedTrash(random);
    const contents = await user.get<Contents>(`/folders/${folder?.id ?? 'root'}`, {
      ...query,
      page_size: 1000,
      with_memo: 'True',
    });
    const at = folder?.id ?? null;
    const folders = model.folders.childrenOf(at).filter((child) => matchesTrash(child, trash));
    const images = model.imagesIn(trash).filter(({ folderId }) => folderId === at);
    sameFolders(
      contents.items.flatMap((item) => (item.is_folder ? [item.data] : [])),
      folders,
    );
    sameImages(
      contents.items.flatMap((item) => (item.is_folder ? [] : [item.data])),
      images,
    );
    assert.equal(contents.total_count, folders.length + images.length);
    assert.equal(contents.total_filesize_mb, sizeOf(images));
    const path = model.folders.pathOf(at);
    assert.deepEqual([contents.current_path, contents.current_path_id], [path.titles, path.ids]);
  }),
];
