import assert from 'node:assert/strict';
import { done, refused, timePattern } from '../../testkit/expect.js';
import type { Member, Tenant } from '../../testkit/world.js';
import { area } from '../harness.js';

interface Change {
  readonly user_id?: string;
  readonly seq: number;
  readonly at: string;
  readonly type: string;
  readonly id: string;
  readonly action: string;
  readonly image_id?: string;
  readonly actor: string;
}

interface Feed<Last> {
  readonly changes: readonly Change[];
  readonly last: Last;
  readonly more: boolean;
}

const changesOf = async (user: Member, query: Record<string, number> = {}) =>
  done(await user.get<Feed<number>>('/changes', query));

const changesIn = async (tenant: Tenant, query: Record<string, string | number> = {}) =>
  done(await tenant.call<Feed<string>>('GET', '/changes', { query }));

const entryText = ({ type, action }: Change): string => `${type} ${action}`;

/** The lines of a snapshot. */
async function snapshot(user: Member): Promise<Record<string, unknown>[]> {
  const path = `/api/v1/users/${user.id}/snapshot`;
  const response = await user.tenant.client.raw('GET', path, { as: ['User', user.token] });
  assert.equal(response.status, 200);
  const lines = (await response.text()).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

export const changes = area('changes', (check) => {
  check('listChanges', 'X4.1 every change takes the next number', async (world) => {
    const user = await (await world.platform()).user();
    const folder = await user.folder('a');
    const image = await user.upload({ message: 'with its image' });
    done(await user.put(`/images/${image.id}`, { has_det: 'True' }));
    done(await user.put(`/images/${image.id}`, { has_det: 'True' }));
    done(await user.put(`/images/${image.id}`, { folder_id: folder.id }));
    done(await user.post(`/images/${image.id}/customs`, { key: 'k', value: 'v' }));
    await user.edit(image);
    await user.trash(image);
    done(await user.put('', { max_storage_mb: '100' }));
    const { changes: found, last, more } = await changesOf(user);
    assert.deepEqual(found.map(entryText), [
      'user created',
      'folder created',
      'image created',
      'image updated',
      'image moved',
      'custom created',
      'version created',
      'image trashed',
      'user updated',
    ]);
    assert.deepEqual(
      found.map(({ seq }) => seq),
      found.map((_, n) => n + 1),
    );
    assert.deepEqual([last, more], [found.length, false]);
    assert.ok(found.every(({ at }) => timePattern.test(at)));
    assert.deepEqual(
      found.map(({ image_id }) => image_id),
      found.map(({ type }) => (['custom', 'version'].includes(type) ? image.id : undefined)),
    );
    assert.deepEqual(new Set(found.slice(1).map(({ actor }) => actor)), new Set(['user']));
  });

  check(
    'listChanges',
    'X4.1 a request that changes several records has an entry for each',
    async (world) => {
      const user = await (await world.platform()).user();
      const outer = await user.folder('outer');
      const inner = await user.folder('inner', outer);
      await user.upload({ folder_id: inner.id });
      const { last } = await changesOf(user);
      await user.trashFolder(outer);
      const { changes: trashed } = await changesOf(user, { after: last });
      assert.deepEqual(trashed.map(entryText).sort(), [
        'folder trashed',
        'folder trashed',
        'image trashed',
      ]);
      await user.restoreFolder(outer);
      const { changes: restored } = await changesOf(user, { after: last + 3 });
      assert.deepEqual(restored.map(entryText).sort(), [
        'folder restored',
        'folder restored',
        'image restored',
      ]);
    },
  );

  check('listChanges', 'X4.2 continues after a number, in pages', async (world) => {
    const user = await (await world.platform()).user();
    for (const title of ['a', 'b', 'c']) await user.folder(title);
    const page = await changesOf(user, { after: 1, limit: 2 });
    assert.deepEqual([page.changes.length, page.last, page.more], [2, 3, true]);
    assert.equal((await changesOf(user, { after: 3 })).more, false);
  });

  check('listChanges', 'X4.2 refuses invalid parameters', async (world) => {
    const user = await (await world.platform()).user();
    const beyond = await user.get('/changes', { after: 2 });
    refused(beyond, 400, 'invalid_cursor');
    assert.deepEqual(beyond.error?.details, { last: 1 });
    refused(await user.get('/changes', { limit: 1001 }), 400, 'invalid_field', 'limit');
    refused(await user.get('/changes', { wait: 31 }), 400, 'invalid_field', 'wait');
    refused(await user.get('/changes', { after: 'x' }), 400, 'invalid_field', 'after');
  });

  check('listChanges', 'X4.2 waits until there is an entry', async (world) => {
    const user = await (await world.platform()).user();
    const waiting = changesOf(user, { after: 1, wait: 30 });
    await user.folder('a');
    assert.deepEqual((await waiting).changes.map(entryText), ['folder created']);
  });

  check(
    'listPlatformChanges',
    'X4.3 has the entries of all users, those of each user in order',
    async (world) => {
      const tenant = await world.platform();
      const [one, two] = [await tenant.user(), await tenant.user()];
      await one.folder('a');
      await two.folder('b');
      done(await one.delete(''));
      const found: Change[] = [];
      for (let after: string | undefined; found.length < 5;) {
        const page = await changesIn(tenant, { wait: 30, limit: 2, ...(after && { after }) });
        found.push(...page.changes);
        after = page.last;
      }
      const of = (user: Member) => found.filter((entry) => entry.user_id === user.id);
      assert.deepEqual(of(one).map(entryText), ['user created', 'folder created', 'user deleted']);
      assert.deepEqual(of(two).map(entryText), ['user created', 'folder created']);
      assert.deepEqual(
        [of(one), of(two)].map((all) => all.map(({ seq }) => seq)),
        [
          [1, 2, 3],
          [1, 2],
        ],
      );
    },
  );

  check('listPlatformChanges', 'X4.3 refuses cursors that it never returned', async (world) => {
    const tenant = await world.platform();
    const answer = await tenant.call('GET', '/changes', { query: { after: 'nothing' } });
    refused(answer, 400, 'invalid_cursor', 'after');
  });

  check('getSnapshot', 'X4.5 has all folders and images as of one number', async (world) => {
    const user = await (await world.platform()).user();
    const folder = await user.folder('a');
    const image = await user.upload({ folder_id: folder.id });
    await user.trash(await user.upload());
    const lines = await snapshot(user);
    const { last } = await changesOf(user);
    assert.deepEqual([lines[0], lines.at(-1)], [{ last }, { end: true, folders: 1, images: 2 }]);
    assert.deepEqual(lines[1], { type: 'folder', folder });
    const images = lines.flatMap((line) => (line.image ? [line.image as { id: string }] : []));
    assert.ok(images.some(({ id }) => id === image.id));
    assert.equal(images.length, 2);
  });
});
