import { filePart } from '../../../testkit/pictures.js';
import type { SimulatedUser } from '../simulated-user.js';
import { step } from '../step.js';

/** Another user with data, of the same platform or another one. */
const victimOf = (
  user: SimulatedUser,
  others: readonly SimulatedUser[],
): SimulatedUser | undefined =>
  user.random.of(others.filter((one) => one !== user && one.model.images.size > 0));

const anyImage = ({ random }: SimulatedUser, of: SimulatedUser) =>
  random.of(of.model.imagesIn(undefined));

export const unauthorizedSteps = [
  step(3, "ask in another user's name", async (user, others) => {
    const victim = victimOf(user, others);
    const image = victim && anyImage(user, victim);
    if (!victim || !image) return;
    const [method, path] = user.random.of([
      ['GET', ''],
      ['GET', '/images'],
      ['GET', `/images/${image.id}`],
      ['GET', '/folders'],
      ['PUT', `/images/${image.id}`],
      ['DELETE', ''],
    ] as const);
    const form = method === 'PUT' ? { delete: 'True' } : undefined;
    const asked = user.member.tenant.client.request(method, `/api/v1/users/${victim.id}${path}`, {
      as: ['User', user.member.token],
      form,
    });
    await user.denied(asked, 403, 'forbidden');
  }),

  step(4, "ask for another user's image", async (user, others) => {
    const victim = victimOf(user, others);
    const image = victim && anyImage(user, victim);
    if (!image) return;
    const path = `/images/${image.id}`;
    const { member, random } = user;
    const ask = random.of([
      () => member.get(path),
      () => member.put(path, { delete: 'True' }),
      () => member.post(`${path}/memos`, { message: 'x', is_client: 'True' }),
      () => member.get(`${path}/customs`),
      () => member.post(`${path}/filedata`, { image_data: filePart(user.picture().bytes) }),
      () => member.post('/images/share', { image_ids: image.id }),
    ]);
    await user.denied(ask(), 400, 'image_not_found');
  }),

  step(3, "ask for another user's folder", async (user, others) => {
    const victim = victimOf(user, others);
    const folder = user.random.of(victim?.model.folders.all ?? []);
    const image = anyImage(user, user);
    if (!folder || !image) return;
    const { member, random } = user;
    const ask = random.of([
      () => member.get(`/folders/${folder.id}`),
      () => member.put(`/folders/${folder.id}`, { title: 'mine' }),
      () => member.delete(`/folders/${folder.id}`),
      () => member.post('/folders', { title: user.title(), parent_id: folder.id }),
      () => member.put(`/images/${image.id}`, { folder_id: folder.id }),
    ]);
    await user.denied(ask(), 400, 'folder_not_found');
  }),

  step(2, "ask for another user's memo", async (user, others) => {
    const victim = victimOf(user, others);
    const [memo] =
      victim?.model.imagesIn(undefined).flatMap(({ memos }) => [...memos.keys()]) ?? [];
    const image = anyImage(user, user);
    if (memo === undefined || !image) return;
    const asked = user.member.delete(`/images/${image.id}/memos/${memo}`);
    await user.denied(asked, 400, 'memo_not_found');
  }),

  step(2, 'ask in the name of another platform', async (user, others) => {
    const { tenant } = user.member;
    const stranger = user.random.of(others.filter(({ member }) => member.tenant !== tenant));
    if (!stranger) return;
    await user.denied(tenant.call('GET', `/users/${stranger.id}`), 400, 'user_not_found');
    await user.denied(tenant.call('GET', `/users/${stranger.id}/images`), 400, 'user_not_found');
    const as = ['Platform', tenant.token] as const;
    const path = `/api/v1/platforms/${stranger.member.tenant.id}`;
    await user.denied(tenant.client.request('GET', `${path}/images`, { as }), 403, 'forbidden');
  }),
];
