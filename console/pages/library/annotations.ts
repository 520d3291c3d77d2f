import { asJson } from '../../core/api';
import type { components } from '../../core/api';
import type { Access } from './access';
import type { Image } from './listing';

type Custom = components['schemas']['Custom'];

/** What a custom value says. */
export interface Pair {
  readonly key: string;
  readonly value: string;
}

const memosPath = '/api/v1/users/{user_id}/images/{image_id}/memos';

/** Either the one to change, or the key of a new one, so that it is stored once. */
type Saved = { readonly id: string } | { readonly once: string };

/** @returns the image with all of its memos. */
export function saveMemo(
  access: Access,
  image_id: string,
  message: string,
  saved: Saved,
): Promise<Image> {
  const path = { user_id: access.userId, image_id };
  return access.call((client) =>
    'once' in saved
      ? client.POST(memosPath, {
          params: { path, header: { 'Idempotency-Key': saved.once } },
          body: { message, is_client: 'False' },
          ...asJson,
        })
      : client.PUT(`${memosPath}/{memo_id}`, {
          params: { path: { ...path, memo_id: saved.id } },
          body: { message },
          ...asJson,
        }),
  );
}

export async function deleteMemo(access: Access, image_id: string, memo_id: string): Promise<void> {
  const path = { user_id: access.userId, image_id, memo_id };
  await access.call((client) => client.DELETE(`${memosPath}/{memo_id}`, { params: { path } }));
}

const customsPath = '/api/v1/users/{user_id}/images/{image_id}/customs';

export function saveCustom(
  access: Access,
  image_id: string,
  body: Pair,
  saved: Saved,
): Promise<Custom> {
  const path = { user_id: access.userId, image_id };
  return access.call((client) =>
    'once' in saved
      ? client.POST(customsPath, {
          params: { path, header: { 'Idempotency-Key': saved.once } },
          body,
        })
      : client.PUT(`${customsPath}/{custom_id}`, {
          params: { path: { ...path, custom_id: saved.id } },
          body,
        }),
  );
}

export async function deleteCustom(
  access: Access,
  image_id: string,
  custom_id: string,
): Promise<void> {
  const path = { user_id: access.userId, image_id, custom_id };
  await access.call((client) => client.DELETE(`${customsPath}/{custom_id}`, { params: { path } }));
}
