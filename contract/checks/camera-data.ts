import assert from 'node:assert/strict';
import { done, refused } from '../../testkit/expect.js';
import { namedPart } from '../../testkit/pictures.js';
import type { Image, Page } from '../../testkit/records.js';
import { type Member, picture } from '../../testkit/world.js';
import { area } from '../harness.js';

const uploadAs = async (
  user: Member,
  name: string,
  fields: Record<string, string> = {},
): Promise<Image> =>
  done(
    await user.post<Image>('/images', { ...fields, image_data: namedPart(await picture(), name) }),
  );

const told = { direction: '360', altitude_m: '-3.25', accuracy_m: '4.5', camera: '카메라 1' };
const shown = { direction: 0, altitude_m: -3.25, accuracy_m: 4.5, camera: '카메라 1' };

const dataOf = ({ direction, altitude_m, accuracy_m, camera }: Image) => ({
  direction,
  altitude_m,
  accuracy_m,
  camera,
});

export const cameraData = area('camera data', (check) => {
  check('uploadImage', 'X8.1 the name of the file, and fields, in every record', async (world) => {
    const user = await world.user();
    const image = await uploadAs(user, 'DCIM\\한강.jpg'.normalize('NFD'), told);
    const [listed] = (await user.list()).items;
    const [found] = (await user.list({ search: '한강', search_type: 'filename' })).items;
    for (const record of [image, await user.image(image.id), listed, found]) {
      assert.ok(record);
      assert.equal(record.original_name, '한강.jpg');
      assert.deepEqual(dataOf(record), shown);
    }
    const saved = await fetch(image.org_path_url);
    await saved.arrayBuffer();
    const disposition = saved.headers.get('content-disposition') ?? '';
    assert.ok(disposition.includes(encodeURIComponent('한강.jpg')), disposition);
  });

  check('updateImage', 'X8.1 a field wins, and an empty one clears', async (world) => {
    const user = await world.user();
    const { id } = await uploadAs(user, 'a.jpg');
    const path = `/images/${id}`;
    assert.deepEqual(dataOf(done(await user.put<Image>(path, told))), shown);
    const cleared = done(await user.put<Image>(path, { direction: '', original_name: '' }));
    assert.deepEqual(dataOf(cleared), { ...shown, direction: null });
    assert.equal(cleared.original_name, null);
    for (const [field, value] of [
      ['direction', '361'],
      ['altitude_m', 'high'],
      ['accuracy_m', '-1'],
      ['camera', 'x'.repeat(256)],
      ['original_name', 'x'.repeat(256)],
    ] as const) {
      refused(await user.put(path, { [field]: value }), 400, 'invalid_field', field);
    }
  });

  check('addFiledata', 'X8.1 an edit has a name of its own, the image keeps its', async (world) => {
    const user = await world.user();
    const { id } = await uploadAs(user, 'first.jpg');
    const form = { image_data: namedPart(await picture(), 'second.jpg') };
    const edited = done(await user.post<Image>(`/images/${id}/filedata`, form));
    assert.equal(edited.original_name, 'first.jpg');
    assert.deepEqual(
      edited.filedatas?.map((one) => one.original_name),
      ['second.jpg'],
    );
  });

  check('imageChoices', 'X8.5 a camera that is offered narrows the list', async (world) => {
    const user = await world.user();
    const { id } = await uploadAs(user, 'a.jpg', { camera: '카메라 1' });
    await uploadAs(user, 'b.jpg', { camera: '카메라 2', folder_id: '' });
    const offered = done(await user.get<{ cameras: { camera: string }[] }>('/images/choices'));
    assert.deepEqual(
      offered.cameras.map(({ camera }) => camera),
      ['카메라 1', '카메라 2'],
    );
    const listed = await user.get<Page<Image>>('/images', {
      camera: '카메라 1',
      folder_id: 'root',
    });
    assert.deepEqual(
      done(listed).items.map((image) => image.id),
      [id],
    );
    refused(await user.get('/images', { custom_value: 'a' }), 400, 'missing_field', 'custom_key');
  });

  check('imageAddresses', 'X8.6 words find addresses, a circle narrows lists', async (world) => {
    const user = await world.user();
    const place = { latitude: '37.5663', longitude: '126.9779' };
    const { id } = await uploadAs(user, 'a.jpg', { ...place, address_road: '세종대로 110' });
    await uploadAs(user, 'b.jpg', { latitude: '37.6', longitude: '127' });
    const [found] = done(
      await user.get<{ addresses: { address: string; count: number }[] }>('/images/addresses', {
        search: '세종대로',
      }),
    ).addresses;
    assert.deepEqual([found?.address, found?.count], ['세종대로 110', 1]);
    const listed = done(await user.get<Page<Image>>('/images', { ...place, radius: '100' }));
    assert.deepEqual(
      listed.items.map((image) => image.id),
      [id],
    );
    refused(await user.get('/images/addresses'), 400, 'missing_field', 'search');
  });

  check('groupImages', 'X8.4 a radius read of pictures that look the same way', async (world) => {
    const user = await world.user();
    const place = { latitude: '37.5', longitude: '127' };
    for (const direction of ['350', '20', '41', '']) {
      await uploadAs(user, 'a.jpg', { ...place, direction });
    }
    const read = async (query: Record<string, string>) => {
      const answer = await user.get<Page<Image>>('/images/group', query);
      return done(answer)
        .items.map(({ direction }) => direction ?? -1)
        .sort((a, b) => a - b);
    };
    const near = { ...place, use_radius: 'True' };
    assert.deepEqual(await read({ ...near, direction: '10' }), [20, 350]);
    assert.deepEqual(await read({ ...near, direction: '10', direction_within: '31' }), [20, 41, 350]); // prettier-ignore
    const alone = await user.get('/images/group', { ...near, direction_within: '5' });
    refused(alone, 400, 'invalid_field', 'direction_within');
    const nowhere = await user.get('/images/group', { direction: '5', direction_within: '5' });
    refused(nowhere, 400, 'invalid_field', 'direction_within');
  });
});
