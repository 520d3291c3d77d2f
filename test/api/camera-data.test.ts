import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { rows } from '../../src/database/sql.js';
import { refusal } from '../../testkit/expect.js';
import { ascii, exif, jpegWith, named, rationals } from '../../testkit/drawn-exif.js';
import { updatedAt } from '../../testkit/image-rows.js';
import { canvas, filePart, jpeg, namedPart } from '../../testkit/pictures.js';
import type { Image } from '../../testkit/records.js';
import { testService } from '../../testkit/service.js';
import { readZip } from '../../testkit/zip.js';

const service = await testService();
const album = await service.user();

const camera = { 0x010f: ascii('Apple'), 0x0110: ascii('iPhone 15 Pro') };
const gps = {
  6: rationals([[1234, 100]]),
  17: rationals([[360, 1]]),
  31: rationals([[475, 100]]),
};
const picture = await jpegWith(named('Exif\0\0', exif({ main: camera, gps })));
const known = { direction: 0, altitude_m: 12.34, accuracy_m: 4.75, camera: 'Apple iPhone 15 Pro' };
const plain = await jpeg({ width: 64, height: 48 });

const upload = async (
  bytes: Buffer,
  name: string,
  fields: Record<string, string> = {},
): Promise<Image> => {
  const form = { ...fields, image_data: namedPart(bytes, name) };
  const answer = await album.call<Image>('POST', '/images', { form });
  assert.equal(answer.status, 200, JSON.stringify(answer.error));
  return answer.result;
};

const dataOf = (record: Image) => {
  const { original_name, direction, altitude_m, accuracy_m, camera } = record;
  return { original_name, direction, altitude_m, accuracy_m, camera };
};
const none = { direction: null, altitude_m: null, accuracy_m: null, camera: null };

/** A form as written, with a part whose headers say this of the file. */
async function uploadAs(about: string | Buffer, charset = ''): Promise<Image> {
  const head = '--x\r\nContent-Disposition: form-data; name="image_data"; ';
  const body = [
    Buffer.from(head),
    Buffer.from(about),
    Buffer.from('\r\n\r\n'),
    plain,
    Buffer.from('\r\n--x--\r\n'),
  ];
  const response = await fetch(`${service.client.base}${album.images}`, {
    method: 'POST',
    headers: {
      authorization: `User ${album.token}`,
      'content-type': `multipart/form-data; boundary=x${charset}`,
    },
    body: Buffer.concat(body),
  });
  const { result, error } = (await response.json()) as { result: Image; error?: unknown };
  assert.equal(response.status, 200, JSON.stringify(error));
  return result;
}

describe('an upload', () => {
  test('is described by its file', async () => {
    const image = await upload(picture, '한강 다리.jpg'.normalize('NFD'));
    assert.deepEqual(dataOf(image), { ...known, original_name: '한강 다리.jpg'.normalize('NFC') });
    assert.deepEqual(dataOf(await album.image(image.id)), dataOf(image));
  });

  test('is described by fields that say otherwise, or that nothing is known', async () => {
    const said = { direction: '360', altitude_m: '-3.5', accuracy_m: '0', camera: '필름' };
    const other = await upload(picture, 'a.jpg', { ...said, original_name: 'dir/다른.jpg' });
    assert.deepEqual(dataOf(other), {
      original_name: '다른.jpg',
      direction: 0,
      altitude_m: -3.5,
      accuracy_m: 0,
      camera: '필름',
    });
    const empty = { original_name: '', direction: '', altitude_m: '', accuracy_m: '', camera: '' };
    assert.deepEqual(dataOf(await upload(picture, 'a.jpg', empty)), {
      ...none,
      original_name: null,
    });
  });

  test('without a name has none', async () => {
    for (const about of ['filename=""', 'filename="/"', 'filename=".."']) {
      assert.equal((await uploadAs(about)).original_name, null, about);
    }
  });

  test('has the name as clients write it', async () => {
    const euckr = Buffer.concat([Buffer.from('filename="'), Buffer.from('c7d1b0ad', 'hex'), Buffer.from('.jpg"')]); // prettier-ignore
    for (const [about, name, charset] of [
      ['filename="C:\\Users\\me\\a.jpg"', 'a.jpg'],
      ['filename="C:\\\\Users\\\\a.jpg"', 'a.jpg'],
      ['filename="DCIM/100/IMG_1.JPG"', 'IMG_1.JPG'],
      ['filename=plain.jpg', 'plain.jpg'],
      ['filename="say \\"hi\\".jpg"', 'say "hi".jpg'],
      ['filename="say %22hi%22.jpg"', 'say "hi".jpg'],
      ['filename="100%.jpg"', '100%.jpg'],
      ['filename="a\u202egpj.exe"', 'agpj.exe'],
      [`filename="x.jpg"; filename*=UTF-8''%ED%95%9C%EA%B0%95.jpg`, '한강.jpg'],
      [`filename*=euc-kr'ko'%c7%d1%b0%ad.jpg`, '한강.jpg'],
      [`filename*=nowhere''a.jpg`, null],
      ['filename*=broken.jpg', 'broken.jpg'],
      [`filename="${'가'.repeat(300)}.jpg"`, `${'가'.repeat(251)}.jpg`],
      [euckr, null],
      [euckr, '한강.jpg', '; charset=euc-kr'],
    ] as const) {
      const image = await uploadAs(about, charset);
      assert.equal(image.original_name, name, about.toString());
    }
  });

  test('is refused with values out of range', async () => {
    for (const [field, value] of [
      ['direction', '360.1'],
      ['direction', '-1'],
      ['direction', 'north'],
      ['direction', 'NaN'],
      ['altitude_m', '1e9'],
      ['altitude_m', '-12001'],
      ['accuracy_m', '-0.1'],
      ['camera', 'x'.repeat(256)],
      ['original_name', 'x'.repeat(256)],
    ] as const) {
      const form = { [field]: value, image_data: filePart(plain) };
      const uploaded = await album.call('POST', '/images', { form });
      assert.deepEqual(refusal(uploaded), [400, 'invalid_field', field], value);
      const changed = await album.put<Image>(`/images/${uuidv7()}`, { [field]: value });
      assert.deepEqual(refusal(changed), [400, 'invalid_field', field], value);
    }
  });

  test('with a key is repeated under whatever name the file comes, but with the same fields', async () => {
    const send = (name: string, fields: Record<string, string>, key: string) =>
      album.call<Image>('POST', '/images', {
        form: { ...fields, image_data: namedPart(plain, name) },
        headers: { 'idempotency-key': key },
      });
    const first = await send('one.jpg', { camera: 'A' }, 'named');
    const again = await send('two.jpg', { camera: 'A' }, 'named');
    assert.deepEqual([again.result.id, again.result.original_name], [first.result.id, 'one.jpg']);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    const other = await send('one.jpg', { camera: 'B' }, 'named');
    assert.deepEqual(refusal(other), [422, 'idempotency_key_reused', undefined]);
  });
});

/** The file name of a response, as a browser would save it. */
async function savedAs(url: string): Promise<string | undefined> {
  const response = await fetch(url);
  await response.arrayBuffer();
  assert.equal(response.status, 200, url);
  const disposition = response.headers.get('content-disposition') ?? '';
  const encoded = /^inline; .*filename\*=UTF-8''(.*)$/.exec(disposition)?.[1];
  return encoded === undefined ? undefined : decodeURIComponent(encoded);
}

describe('downloads', () => {
  const wide = jpeg({ width: 2000, height: 1500 });

  test('of the stored bytes bear the name, renditions none', async () => {
    const [small, large] = [
      await upload(plain, '작은 사진.jpg'),
      await upload(await wide, '큰 사진.jpg'),
    ];
    assert.equal(await savedAs(small.org_path_url), '작은 사진.jpg');
    assert.equal(await savedAs(small.path_url), '작은 사진.jpg');
    assert.equal(await savedAs(large.org_path_url), '큰 사진.jpg');
    assert.equal(await savedAs(large.path_url), undefined);
    assert.equal(await savedAs(large.thumb_url), undefined);
    const renamed = (
      await album.put<Image>(`/images/${large.id}`, { original_name: '새 이름.jpg' })
    ).result;
    assert.equal(await savedAs(renamed.org_path_url), '새 이름.jpg');
    const nameless = (await album.put<Image>(`/images/${large.id}`, { original_name: '' })).result;
    assert.equal(await savedAs(nameless.org_path_url), undefined);
  });

  test('of an edit bear its own name, those of the upload the first', async () => {
    const { id } = await upload(picture, 'first.jpg');
    const form = { image_data: namedPart(plain, 'second.jpg') };
    const edited = (await album.call<Image>('POST', `/images/${id}/filedata`, { form })).result;
    assert.equal(await savedAs(edited.org_path_url), 'first.jpg');
    assert.equal(await savedAs(edited.path_url), undefined);
    assert.equal(await savedAs(edited.filedatas?.[0]?.path_url ?? ''), 'second.jpg');
  });

  test('that a repeat with a key names anew bear the name', async () => {
    const send = () =>
      album.call<Image>('POST', '/images', {
        form: { image_data: namedPart(plain, '반복 "1".jpg') },
        headers: { 'idempotency-key': 'download' },
      });
    const [first, again] = [await send(), await send()];
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    for (const { result } of [first, again]) {
      assert.equal(await savedAs(result.org_path_url), '반복 "1".jpg');
    }
  });

  test('as a ZIP have the names as entries, unique and safe', async () => {
    const own = await service.user();
    const put = async (name: string, path = '', bytes = plain) => {
      const fields = { created_at: '20240102_030405', building_name: 'Z' };
      const form = { ...(path === '' && fields), image_data: namedPart(bytes, name) };
      return (await own.call<Image>('POST', `/images${path}`, { form })).result.id;
    };
    for (const name of ['a.jpg', 'A.JPG', 'a.jpg', '한강.jpg', 'b:c?.jpg', 'CON.jpg']) await put(name); // prettier-ignore
    await put('images.csv');
    const nameless = await put('');
    const heic = await put('IMG_7.HEIC');
    const png = await canvas(20, 20).png().toBuffer();
    await put('', `/${heic}/filedata`, png);
    const query = { view_type: 'list', download: 'True', search: 'Z', date: '20240102' };
    const response = await service.client.raw('GET', own.images, {
      as: ['User', own.token],
      query,
    });
    const files = readZip(Buffer.from(await response.arrayBuffer()));
    const { filename } = await own.image(nameless);
    assert.deepEqual(files.map(({ name }) => name).sort(), [
      '_CON.jpg',
      'A (2).JPG',
      'IMG_7.png',
      'a (3).jpg',
      'a.jpg',
      'b_c_.jpg',
      filename,
      'images.csv',
      'images.csv.jpg',
      '한강.jpg',
    ].sort()); // prettier-ignore
    const [head = ''] = (files.at(-1)?.data.toString() ?? '').split('\r\n');
    assert.match(head, /,original_name,direction,altitude_m,accuracy_m,camera,/);
  });
});

describe('a search', () => {
  test('for file names finds the original name, and what it was changed to', async () => {
    const own = await service.user();
    const form = { image_data: namedPart(plain, '현장 사진 IMG_4711.jpg') };
    const { id } = (await own.call<Image>('POST', '/images', { form })).result;
    const found = async (search: string, search_type: string) => {
      const query = { search, search_type };
      const { result } = await own.call<{ items: Image[] }>('GET', '/images', { query });
      return result.items.map((image) => image.id);
    };
    for (const type of ['filename', 'all']) {
      for (const words of ['img_4711', '현장', '4711.JPG', '사진 i']) {
        assert.deepEqual(await found(words, type), [id], words);
      }
      assert.deepEqual(await found('jpg현장', type), [], 'not across the two names');
    }
    assert.deepEqual(await found('4711', 'address'), []);
    await own.put<Image>(`/images/${id}`, { original_name: 'other.jpg' });
    assert.deepEqual(await found('4711', 'filename'), []);
    assert.deepEqual(await found('OTHER', 'filename'), [id]);
    await own.put<Image>(`/images/${id}`, { original_name: '' });
    assert.deepEqual(await found('other', 'all'), []);
  });
});

describe('an edit', () => {
  test('has a name of its own in the history, and the image keeps the first', async () => {
    const { id } = await upload(picture, 'first.jpg');
    const edit = async (name: string, fields: Record<string, string> = {}) => {
      const form = { ...fields, image_data: namedPart(plain, name) };
      return (await album.call<Image>('POST', `/images/${id}/filedata`, { form })).result;
    };
    await edit('second.jpg');
    await edit('x.jpg', { original_name: 'third.jpg' });
    const image = await edit('x.jpg', { original_name: '' });
    assert.deepEqual(dataOf(image), { ...known, original_name: 'first.jpg' });
    const history = (image.filedatas ?? []).map(({ original_name }) => original_name);
    assert.deepEqual(history, ['second.jpg', 'third.jpg', null]);
  });
});

describe('an update', () => {
  test('sets, keeps, and clears; each counts as a change', async () => {
    const { id } = await upload(picture, 'a.jpg');
    const first = await updatedAt(service.db, id);
    const set = await album.put<Image>(`/images/${id}`, {
      direction: '90',
      original_name: 'x/y.jpg',
      camera: 'C',
    });
    const expected = { ...known, direction: 90, original_name: 'y.jpg', camera: 'C' };
    assert.deepEqual(dataOf(set.result), expected);
    const second = await updatedAt(service.db, id);
    assert.ok(second > first);
    await album.put<Image>(`/images/${id}`, { direction: '90', camera: 'C' });
    assert.equal(await updatedAt(service.db, id), second, 'nothing has changed');
    const empty = { original_name: '', direction: '', altitude_m: '', accuracy_m: '', camera: '' };
    const cleared = await album.put<Image>(`/images/${id}`, empty);
    assert.deepEqual(dataOf(cleared.result), { ...none, original_name: null });
    const json = { json: { altitude_m: 5, camera: null } };
    assert.equal((await album.call<Image>('PUT', `/images/${id}`, json)).result.altitude_m, 5);
  });

  test('of another user is refused', async () => {
    const other = await service.user();
    const { id } = await upload(picture, 'a.jpg');
    const answer = await other.put<Image>(`/images/${id}`, { camera: 'mine' });
    assert.notEqual(answer.status, 200);
    assert.equal((await album.image(id)).camera, known.camera);
  });

  test('is told in the feed, for each field', async () => {
    const own = await service.user();
    const { id } = await own.upload();
    const told = async (): Promise<unknown[]> =>
      rows(service.db, 'SELECT action FROM changes WHERE user_id = $1 AND id = $2', [own.id, id]);
    let entries = (await told()).length;
    for (const [field, value] of [
      ['original_name', 'n.jpg'],
      ['direction', '1'],
      ['altitude_m', '2'],
      ['accuracy_m', '3'],
      ['camera', 'c'],
    ] as const) {
      await own.put<Image>(`/images/${id}`, { [field]: value });
      entries += 1;
      assert.equal((await told()).length, entries, field);
    }
  });
});
