// Uploads files and lists the newest images of the user:
//
//     IMGSTORE_URL=… IMGSTORE_USER=… IMGSTORE_TOKEN=… node upload.mjs photo.jpg …
//
// The id of the user and the token are in the response that created the user.
import { openAsBlob } from 'node:fs';
import { createImgstoreClient } from '@imgstore/client';

const { IMGSTORE_URL: baseUrl, IMGSTORE_USER: user_id, IMGSTORE_TOKEN: token } = process.env;
const imgstore = createImgstoreClient({ baseUrl, scheme: 'User', token });
const path = { user_id };

/** The result of a response. */
function resultOf({ data, error }) {
  if (error) throw new Error(`${error.error.code}: ${error.message}`);
  return data.result;
}

for (const file of process.argv.slice(2)) {
  const image = resultOf(
    await imgstore.POST('/api/v1/users/{user_id}/images', {
      params: { path },
      body: { image_data: await openAsBlob(file), created_at: '20250131_093015' },
    }),
  );
  console.log(`uploaded ${file} as ${image.id}: ${image.resolution} ${image.image_resource_type}`);
}

const list = resultOf(
  await imgstore.GET('/api/v1/users/{user_id}/images', {
    params: { path, query: { page_size: 10 } },
  }),
);
console.log(`${list.total_count} images, the newest:`);
for (const { created_at, filename } of list.items) console.log(`  ${created_at}  ${filename}`);
