import { openAsBlob } from 'node:fs';
import { createImgstoreClient, sha256 } from '../../clients/typescript/src/index.js';
import { picture } from '../harness/pictures.js';
import { rateOf, type Row } from '../harness/row.js';

const concurrency = 4;
const seconds = 4;

/** The same picture by both ways of the typed client, over a line that does not break. */
export const resumableRow = (): Row => ({
  name: 'uploads/resumable',
  title: 'Resumable upload to form upload, 12 MP',
  limit: 'the form',
  unit: '/s',
  goal: { atLeast: 0.9 },
  open: async ({ small, scratch }) => {
    const service = await small();
    const user = await service.user(0);
    const token = user.headers.Authorization.replace('User ', '');
    const imgstore = createImgstoreClient({ baseUrl: service.url, scheme: 'User', token });
    const file = await openAsBlob(await picture(scratch));
    const hash = await sha256(file);
    const params = { path: { user_id: user.id } };
    const asForm = async (): Promise<void> => {
      const body = { image_hash: hash, image_data: file };
      const { error } = await imgstore.POST('/api/v1/users/{user_id}/images', { params, body });
      if (error) throw new Error(error.message);
    };
    return {
      ours: () => rateOf(concurrency, seconds, () => imgstore.resume(user.id, file, { hash })),
      limit: () => rateOf(concurrency, seconds, asForm),
    };
  },
});
