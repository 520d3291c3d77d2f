import assert from 'node:assert/strict';
import { done, nobody, refused, timePattern } from '../../testkit/expect.js';
import { area } from '../harness.js';

interface State {
  readonly id: string;
  readonly suspended_at?: string | null;
}

interface AuditPage {
  readonly entries: readonly {
    readonly act: string;
    readonly actor: string;
    readonly token_id: string | null;
    readonly user_id: string | null;
  }[];
  readonly last: string;
  readonly more: boolean;
}

interface Emptied {
  readonly deleted_images: number;
  readonly deleted_folders: number;
  readonly remaining_images: number;
  readonly remaining_folders: number;
  readonly hold_ids: readonly string[];
}

const emptied = (deleted_images: number, deleted_folders = 0): Emptied => ({
  deleted_images,
  deleted_folders,
  remaining_images: 0,
  remaining_folders: 0,
  hold_ids: [],
});

/** What platforms and operators need beyond the interface (extensions). */
export const operating = area('operating', (check) => {
  check('suspendUser', 'E6 the user is refused until resumed by the platform', async (world) => {
    const user = await (await world.platform()).user();
    const path = `/users/${user.id}`;
    const suspended = done(await user.tenant.call<State>('POST', `${path}/suspend`));
    assert.match(suspended.suspended_at ?? '', timePattern);
    refused(await user.get(''), 403, 'user_suspended');
    assert.deepEqual(done(await user.tenant.call<State>('POST', `${path}/suspend`)), suspended);
    const resumed = done(await user.tenant.call<State>('POST', `${path}/resume`));
    assert.deepEqual([resumed.id, resumed.suspended_at], [user.id, null]);
    done(await user.get(''));
  });

  check('resumeUser', 'E6 a user of another platform is not found', async (world) => {
    const [tenant, other] = [await world.platform(), await (await world.platform()).user()];
    for (const id of [other.id, nobody, 'x']) {
      for (const act of ['suspend', 'resume']) {
        refused(await tenant.call('POST', `/users/${id}/${act}`), 400, 'user_not_found');
      }
    }
  });

  check('suspendPlatform', 'E6 administrators suspend and resume a platform', async (world) => {
    const user = await (await world.platform()).user();
    const as = ['Admin', world.adminToken] as const;
    const act = (id: string, word: string) =>
      world.client.post<State>(`/api/v1/platforms/${id}/${word}`, { as });
    assert.match(done(await act(user.tenant.id, 'suspend')).suspended_at ?? '', timePattern);
    refused(await user.tenant.call('GET', ''), 403, 'platform_suspended');
    refused(await user.get(''), 403, 'platform_suspended');
    assert.equal(done(await act(user.tenant.id, 'resume')).suspended_at, undefined);
    done(await user.get(''));
    for (const word of ['suspend', 'resume']) {
      refused(await act(nobody, word), 400, 'platform_not_found');
      refused(await user.tenant.call('POST', `/${word}`), 401, 'unauthorized');
    }
  });

  check('emptyTrash', 'E5 deletes what is in the trash, and nothing else', async (world) => {
    const user = await world.user();
    const kept = await user.upload();
    const folder = await user.folder('a');
    await user.upload({ folder_id: folder.id });
    await user.trashFolder(folder);
    await user.trash(await user.upload());
    assert.deepEqual(done(await user.delete<Emptied>('/trash')), emptied(2, 1));
    assert.deepEqual(done(await user.delete<Emptied>('/trash')), emptied(0));
    assert.equal((await user.image(kept.id)).id, kept.id);
    assert.equal((await user.list({ is_deleted: 'True' })).total_count, 1);
  });

  check('deleteFromTrash', 'E5 deletes one image, only from the trash', async (world) => {
    const user = await world.user();
    const image = await user.upload();
    refused(await user.delete(`/trash/${image.id}`), 400, 'image_not_in_trash');
    await user.trash(image);
    assert.deepEqual(done(await user.delete<Emptied>(`/trash/${image.id}`)), emptied(1));
    for (const id of [image.id, nobody, 'x']) {
      refused(await user.delete(`/trash/${id}`), 400, 'image_not_found');
    }
  });

  check('listDeliveries', 'E8 none yet; the number is bounded', async (world) => {
    const tenant = await world.platform();
    const form = { url: 'https://example.com/hook' };
    const { id } = done(await tenant.call<{ id: string }>('POST', '/webhooks', { form }));
    const path = `/webhooks/${id}/deliveries`;
    assert.deepEqual(done(await tenant.call('GET', path)), []);
    refused(await tenant.call('GET', path, { query: { limit: 1001 } }), 400, 'invalid_field');
    refused(await tenant.call('GET', `/webhooks/${nobody}/deliveries`), 400, 'webhook_not_found');
  });

  check('readPlatformAudit', 'E7 shows acts, but not administrators', async (world) => {
    const user = await (await world.platform()).user();
    const as = ['Admin', world.adminToken] as const;
    done(await user.tenant.call('POST', `/users/${user.id}/suspend`, { as }));
    done(await user.tenant.call('POST', `/users/${user.id}/resume`));
    const read = async (query = {}) =>
      done(await user.tenant.call<AuditPage>('GET', '/audit', { query }));
    const { entries } = await read({ user_id: user.id });
    assert.deepEqual(
      entries.map(({ act, actor }) => [act, actor]),
      [
        ['user.resume', 'platform'],
        ['user.suspend', 'admin'],
        ['user.created', 'platform'],
      ],
    );
    assert.deepEqual(
      entries.map(({ token_id: token }) => token !== null),
      [true, false, true],
    );
    const first = await read({ limit: 1, user_id: user.id });
    assert.deepEqual([first.entries, first.more], [entries.slice(0, 1), true]);
    const rest = await read({ before: first.last, user_id: user.id });
    assert.deepEqual(rest.entries, entries.slice(1));
    const wrong = { actor: 'operator', act: 'x', since: '20250230', limit: '0' };
    for (const [field, value] of Object.entries(wrong)) {
      const answer = await user.tenant.call('GET', '/audit', { query: { [field]: value } });
      refused(answer, 400, 'invalid_field', field);
    }
    for (const before of ['x', `${first.last}.`, `-${first.last}`]) {
      const answer = await user.tenant.call('GET', '/audit', { query: { before } });
      refused(answer, 400, 'invalid_cursor', 'before');
    }
  });

  check('readAudit', 'E7 shows administrators all acts, and changes of one', async (world) => {
    const user = await (await world.platform()).user();
    const as = ['Admin', world.adminToken] as const;
    const read = (query: Record<string, string>) =>
      world.client.get<AuditPage>('/api/v1/audit', { as, query });
    const { entries } = done(await read({ act: 'platform.create', actor: 'admin' }));
    assert.ok(entries.length > 0 && entries.every(({ act }) => act === 'platform.create'));
    assert.ok(entries.every(({ token_id: token }) => token !== null));
    const of = done(await read({ platform_id: user.tenant.id, act: 'user.created' }));
    assert.deepEqual(
      of.entries.map((entry) => entry.user_id),
      [user.id],
    );
    assert.deepEqual(done(await read({ platform_id: 'x' })).entries, []);
    refused(await read({ content: 'True' }), 400, 'missing_field', 'platform_id');
    refused(await read({ act: 'image.created' }), 400, 'missing_field', 'platform_id');
  });
});
