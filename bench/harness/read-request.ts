import type { Read } from '../reads.js';
import type { BenchService, BenchUser } from './bench-service.js';

/** The request of a read, for a user or their platform. */
export async function requestOf(
  [, of, path, query]: Read,
  service: BenchService,
  user: BenchUser,
): Promise<{ url: string; headers: { Authorization: string } }> {
  const named = `${path} ${Object.values(query).join(' ')}`;
  const folder = named.includes('{folder}') ? await service.largestFolder(user) : '';
  const below = path.replace('{folder}', folder).replace('{user}', user.id);
  const version = below.startsWith('/stats') ? 'v2' : 'v1';
  const owner = of === 'user' ? `users/${user.id}` : `platforms/${user.platformId}`;
  const url = new URL(`${service.url}/api/${version}/${owner}${below}`);
  for (const [key, value] of Object.entries(query)) {
    const text = String(value)
      .replace('{half}', String(Math.floor(user.images / 2)))
      .replace('{folder}', folder);
    url.searchParams.set(key, text);
  }
  const headers = of === 'user' ? user.headers : await service.asPlatform(user.platformId);
  return { url: url.href, headers };
}
