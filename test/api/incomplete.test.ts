import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { ImageRecord } from '../../src/images/schemas.js';
import { Album } from '../../testkit/album.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import { testService } from '../../testkit/service.js';
import { readZip } from '../../testkit/zip.js';

const service = await testService({ after });
const album = await Album.of(service);

const whole = await jpeg({ width: 400, height: 1200 });
const cut = whole.subarray(0, Math.floor(whole.length * 0.8));

const send = (path: string, picture: Uint8Array) =>
  album.call<ImageRecord>('POST', path, { form: { image_data: filePart(picture) } });

describe('a picture that breaks off', () => {
  test('is taken and kept as it came; its record and the table of a download say so', async () => {
    const { status, result } = await send('', cut);
    assert.deepEqual([status, result.is_incomplete], [200, true]);
    assert.equal(result.resolution, '400x1200');
    const kept = await fetch(result.org_path_url);
    assert.deepEqual(Buffer.from(await kept.arrayBuffer()), cut);
    assert.equal((await album.get(result.id)).is_incomplete, true);

    const answer = await service.client.raw('GET', album.user.images, {
      as: ['User', album.user.token],
      query: {
        ...{ view_type: 'list', download: 'True' },
        ...{ search: result.filename, date: result.created_at.slice(0, 8) },
      },
    });
    const table =
      readZip(Buffer.from(await answer.arrayBuffer()))
        .pop()
        ?.data.toString() ?? '';
    const [head = '', line = ''] = table.split('\r\n');
    assert.equal(line.split(',')[head.split(',').indexOf('is_incomplete')], 'true');
  });

  test('is corrupt when less than half of it is there', async () => {
    const { status, error } = await send('', whole.subarray(0, whole.length * 0.4));
    assert.deepEqual([status, error?.code], [400, 'corrupt_image']);
  });

  test('is told for each version; the image follows its current one', async () => {
    const { result: image } = await send('', whole);
    assert.equal(image.is_incomplete, false);
    const flags = ({ is_incomplete, filedatas }: ImageRecord) => [
      is_incomplete,
      filedatas?.map((version) => version.is_incomplete),
    ];
    const edit = (picture: Uint8Array) => send(`/${image.id}/filedata`, picture);
    assert.deepEqual(flags((await edit(cut)).result), [true, [true]]);
    assert.deepEqual(flags((await edit(whole)).result), [false, [true, false]]);
  });
});
