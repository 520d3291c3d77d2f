import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { needs, programs } from '../../testkit/programs.js';
import { readPhoto } from '../../testkit/photos.js';
import { testService } from '../../testkit/service.js';
import { Document, file, ledgerOf, printed } from './support.js';

const service = await testService();

test('LibreOffice shows the pictures and the texts', await needs(programs.office), async () => {
  const user = await service.user();
  await user.upload({ address_road: '=1+1' }, await readPhoto('landscape_6.jpg'));
  await user.upload({ address_road: '_x0041_' }, await readPhoto('Arbitro.tiff'));
  const form = { format: 'xlsx', title: '준공 & 사진', language: 'ko' };
  const workbook = await ledgerOf(user, form);
  assert.ok((await ledgerOf(user, form)).equals(workbook));
  const path = await file(workbook, 'xlsx');
  const [dir, home] = [dirname(path), `${path}-home`];
  const convert = (to: string): Promise<string> =>
    printed(
      'soffice',
      `-env:UserInstallation=file://${home}`,
      '--headless',
      '--convert-to',
      to,
      '--outdir',
      dir,
      path,
    );
  await convert('csv:Text - txt - csv (StarCalc):44,34,76,1');
  const table = await readFile(path.replace('.xlsx', '.csv'), 'utf8');
  assert.match(table, /^"준공 & 사진",/);
  assert.match(table, /\n,"1",,"=1\+1",/);
  assert.match(table, /\n,"2",,"_x0041_",/);
  await convert('pdf');
  const pdf = await readFile(join(dir, path.split('/').pop()?.replace('.xlsx', '.pdf') ?? ''));
  assert.equal((await (await Document.of(pdf)).pictures()).length, 2);
});
