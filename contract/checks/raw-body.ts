import type { Member } from '../../testkit/world.js';

/** Posts a body unchanged. @returns the parts of the answer that checks compare. */
export async function postRaw(
  user: Member,
  path: string,
  type: string | undefined,
  body: string | Uint8Array,
  encoding?: string,
): Promise<{ status: number; result: unknown; code?: string; field?: string }> {
  const response = await fetch(
    new URL(`/api/v1/users/${user.id}${path}`, user.tenant.client.base),
    {
      method: 'POST',
      // As bytes, so that fetch adds no Content-Type.
      body: Uint8Array.from(typeof body === 'string' ? Buffer.from(body) : body),
      headers: {
        authorization: `User ${user.token}`,
        ...(type !== undefined && { 'content-type': type }),
        ...(encoding !== undefined && { 'content-encoding': encoding }),
      },
    },
  );
  const { result, error } = (await response.json()) as {
    result: unknown;
    error?: { code: string; field?: string };
  };
  return { status: response.status, result, ...error };
}
