import assert from 'node:assert/strict';
import type { Answer, Call } from '../../testkit/client.js';
import { done, nobody, refused, timePattern } from '../../testkit/expect.js';
import type { Page } from '../../testkit/records.js';
import type { Tenant, World } from '../../testkit/world.js';
import { area } from '../harness.js';

interface Hold {
  readonly id: string;
  readonly reason: string;
  readonly until: string | null;
  readonly image_ids: readonly string[] | null;
  readonly folder_id: string | null;
  readonly user_id: string | null;
  readonly created_at: string;
  readonly created_by: string;
  readonly released_at: string | null;
}

const create = (tenant: Tenant, form: NonNullable<Call['form']>): Promise<Answer<Hold>> =>
  tenant.call<Hold>('POST', '/holds', { form: { reason: 'claim 7', ...form } });

const heldBy = (answer: Answer<unknown>, id: string): void => {
  refused(answer, 409, 'held');
  assert.deepEqual(answer.error?.details, { hold_id: id });
};

async function trashed(world: World) {
  const user = await world.user();
  const image = await user.upload();
  await user.trash(image);
  return { user, image, tenant: user.tenant };
}

export const holds = area('holds', (check) => {
  check('createHold', 'X16.1 what is held is not deleted for good', async (world) => {
    const { user, image, tenant } = await trashed(world);
    const hold = done(await create(tenant, { image_ids: image.id, until: '20991231' }));
    const { id, created_at: at, ...rest } = hold;
    assert.match(at, timePattern);
    assert.deepEqual(rest, {
      reason: 'claim 7',
      until: '20991231_235959',
      image_ids: [image.id],
      folder_id: null,
      user_id: null,
      created_by: 'platform',
      released_at: null,
    });
    heldBy(await user.delete(`/trash/${image.id}`), id);
    heldBy(await user.delete(''), id);
    const emptied = done(await user.delete<Readonly<Record<string, unknown>>>('/trash'));
    assert.deepEqual([emptied.deleted_images, emptied.hold_ids], [0, [id]]);
    done(await tenant.call('DELETE', `/holds/${id}`));
    done(await user.delete(`/trash/${image.id}`));
  });

  check('createHold', 'X16.4 memos and customs are added, not changed', async (world) => {
    const user = await world.user();
    const image = await user.upload();
    const { id } = done(await create(user.tenant, { user_id: user.id }));
    const customs = `/images/${image.id}/customs`;
    const custom = done(await user.post<{ id: string }>(customs, { key: 'k', value: 'v' }));
    heldBy(await user.put(`${customs}/${custom.id}`, { value: 'w' }), id);
    heldBy(await user.delete(`${customs}/${custom.id}`), id);
    done(await user.put(`/images/${image.id}`, { address_road: 'Main Street 1' }));
  });

  check('createHold', 'X16.4 one target, which is there', async (world) => {
    const { user, image, tenant } = await trashed(world);
    const other = await world.platform();
    const both = { image_ids: image.id, user_id: user.id };
    refused(await create(tenant, {}), 400, 'invalid_field', 'image_ids');
    refused(await create(tenant, both), 400, 'invalid_field', 'user_id');
    const past = { user_id: user.id, until: '20200101' };
    refused(await create(tenant, past), 400, 'invalid_field', 'until');
    const long = { user_id: user.id, reason: 'x'.repeat(1_001) };
    refused(await create(tenant, long), 400, 'invalid_field', 'reason');
    refused(await create(tenant, { folder_id: nobody }), 400, 'folder_not_found', 'folder_id');
    refused(await create(other, { image_ids: image.id }), 400, 'image_not_found', 'image_ids');
    refused(await create(other, { user_id: user.id }), 400, 'user_not_found', 'user_id');
  });

  check('listHolds', 'X16.1 holds are listed newest first', async (world) => {
    const tenant = await world.platform(); // others have holds of other checks
    const user = await tenant.user();
    const image = await user.upload();
    const first = done(await create(tenant, { image_ids: image.id }));
    const second = done(await create(tenant, { user_id: user.id }));
    const page = done(await tenant.call<Page<Hold>>('GET', '/holds'));
    assert.deepEqual(page.items, [second, first]);
    const query = { page_size: 0 };
    refused(await tenant.call('GET', '/holds', { query }), 400, 'invalid_field', 'page_size');
  });

  check('getHold', 'X16.1 a hold is read by its platform', async (world) => {
    const { user, tenant } = await trashed(world);
    const hold = done(await create(tenant, { user_id: user.id }));
    assert.deepEqual(done(await tenant.call('GET', `/holds/${hold.id}`)), hold);
    const other = await world.platform();
    for (const id of [hold.id, nobody, 'x']) {
      refused(await other.call('GET', `/holds/${id}`), 400, 'hold_not_found');
    }
  });

  check(
    'releaseHold',
    'X16.4 what an administrator holds, only an administrator releases',
    async (world) => {
      const { user, tenant } = await trashed(world);
      const as = ['Admin', world.adminToken] as const;
      const path = `/api/v1/platforms/${tenant.id}/holds`;
      const form = { reason: 'court file', user_id: user.id };
      const { id, created_by: by } = done(await world.client.post<Hold>(path, { as, form }));
      assert.equal(by, 'admin');
      refused(await tenant.call('DELETE', `/holds/${id}`), 403, 'forbidden');
      const released = done(await world.client.delete<Hold>(`${path}/${id}`, { as }));
      assert.match(released.released_at ?? '', timePattern);
      assert.deepEqual(done(await world.client.delete<Hold>(`${path}/${id}`, { as })), released);
      refused(await tenant.call('DELETE', `/holds/${nobody}`), 400, 'hold_not_found');
      done(await user.delete(''));
    },
  );
});
