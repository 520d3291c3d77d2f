import { after, describe, test } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { Tree, refused } from '../../testkit/folders.js';
import { testService } from '../../testkit/service.js';

const service = await testService({ after });

describe('refused are', () => {
  for (const [name, value] of [
    ['sort_by', 'size'],
    ['sort_order', 'up'],
    ['get_image', 'maybe'],
    ['page_size', '0'],
    ['page_size', '1001'],
    ['last_index', '-1'],
    ['last_index', 'x'],
    ['has_delete_at', '2'],
    ['with_memo', 'x'],
    ['with_custom', 'x'],
    ['with_history', 'none'],
  ] as const) {
    test(`${name}=${value}`, async () => {
      const tree = await Tree.of(service);
      refused(await tree.tryContents('root', { [name]: value }), 'invalid_field', name);
    });
  }

  test('unknown folders', async () => {
    const tree = await Tree.of(service);
    for (const id of [uuidv7(), 'nowhere', 'none', '-']) {
      refused(await tree.tryContents(id), 'folder_not_found');
    }
  });
});
