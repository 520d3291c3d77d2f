import assert from 'node:assert/strict';
import { done } from '../../../testkit/expect.js';
import type { Image, NumberedPage, Statistics, User } from '../../../testkit/records.js';
import { type SimulatedUser, CrossTalk } from '../simulated-user.js';
import { sameImages } from '../compare.js';
import { step } from '../step.js';

const neighboursOf = (user: SimulatedUser, others: readonly SimulatedUser[]): SimulatedUser[] =>
  others.filter(({ member }) => member.tenant === user.member.tenant);

export const uploadsOf = (users: readonly SimulatedUser[]): number =>
  users.reduce(
    (sum, { model: { events } }) => sum + events.camera + events.gallery + events.request,
    0,
  );

export const platformSteps = [
  step(2, "the platform reads the user's images", async (user) => {
    const { tenant } = user.member;
    const path = `/users/${user.id}`;
    const record = done(await tenant.call<User>('GET', path));
    assert.deepEqual([record.id, record.platform_user_id], [user.id, user.name]);
    const query = { page_size: 1000 };
    const page = user.own(
      await tenant.call<NumberedPage<Image>>('GET', `${path}/images`, { query }),
    );
    sameImages(page.items, user.model.imagesIn(undefined));
  }),

  step(1, "the platform reads everyone's images", async (user, others) => {
    const neighbours = new Set(neighboursOf(user, others).map(({ id }) => id));
    type OfUser = { user_id: string; result: Image[] };
    const pages = await user.member.tenant.call<NumberedPage<OfUser>>('GET', '/images');
    for (const { user_id, result } of done(pages).items) {
      for (const id of [user_id, ...result.map((image) => image.user_id)]) {
        if (!neighbours.has(id)) throw new CrossTalk(`user ${id} in a list of another platform`);
        assert.equal(id, user_id);
      }
    }
  }),

  step(1, 'the platform lists its users', async (user, others) => {
    const users = done(await user.member.tenant.call<User[]>('GET', '/users'));
    const found = users.map(({ id }) => id).sort();
    assert.deepEqual(
      found,
      neighboursOf(user, others)
        .map(({ id }) => id)
        .sort(),
    );
  }),

  step(1, 'statistics', async (user, others) => {
    const neighbours = neighboursOf(user, others);
    const before = uploadsOf(neighbours);
    const total = done(await user.member.tenant.statistics<Statistics>('/total'));
    const { total_upload: uploads } = total;
    // Each of the others may have one upload in progress that the server already has.
    const after = uploadsOf(neighbours) + neighbours.length;
    assert.ok(uploads >= before && uploads <= after, `${uploads} of ${before} to ${after}`);
    const { upload_camera, upload_gallery, upload_request } = total;
    assert.equal(upload_camera + upload_gallery + upload_request, uploads);
  }),
];
