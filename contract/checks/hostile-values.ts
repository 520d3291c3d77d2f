import assert from 'node:assert/strict';
import { done, refused } from '../../testkit/expect.js';
import { area } from '../harness.js';
import { postRaw } from './raw-body.js';

export const hostileValues = area('hostile values', (check) => {
  for (const word of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf']) {
    check(
      'listImages',
      `§1.3 ${word}, a property of every object, is no boolean`,
      async (world) => {
        const user = await world.user();
        for (const name of ['has_delete_at', 'has_det']) {
          refused(await user.get('/images', { [name]: word }), 400, 'invalid_field', name);
        }
        const answer = await user.put(`/images/${(await user.upload()).id}`, { is_signed: word });
        refused(answer, 400, 'invalid_field', 'is_signed');
      },
    );
  }

  check('listImages', '§6.13 constructor is no view_type', async (world) => {
    const answer = await (await world.user()).get('/images', { view_type: 'constructor' });
    refused(answer, 400, 'invalid_field', 'view_type');
  });

  check('countImages', '§1.2 names of object properties are ignored in a query', async (world) => {
    const user = await world.user();
    const names = ['__proto__', 'constructor', 'prototype', '__proto__[key]', 'constructor[key]'];
    done(await user.get('/images/count', Object.fromEntries(names.map((name) => [name, 'x']))));
    const many = 'a[]=1&'.repeat(1_500);
    done(await user.get(`/images/count?${many}a[b][c][d][e][f]=1`));
  });

  check('createFolder', '§1.2 names of object properties are ignored in a body', async (world) => {
    const body = '{"__proto__":{"title":"a"},"constructor":{"prototype":{"title":"a"}}}';
    const answer = await postRaw(await world.user(), '/folders', 'application/json', body);
    assert.deepEqual([answer.status, answer.code, answer.field], [400, 'missing_field', 'title']);
  });
});
