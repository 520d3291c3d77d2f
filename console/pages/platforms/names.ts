import { call } from '../../core/api';
import { session } from '../../core/session';
import { useRead } from '../../core/use-read';

/** The name of a platform, once it is known. An administrator's token reads it from the list. */
export function usePlatformName(platform: string): string | undefined {
  const { data } = useRead((signal) => nameOf(platform, signal), [platform]);
  return data;
}

async function nameOf(platform_id: string, signal: AbortSignal): Promise<string | undefined> {
  if (session.value?.scope === 'admin') {
    const all = await call((client) => client.GET('/api/v1/platforms', { signal }));
    return all.find(({ id }) => id === platform_id)?.platform;
  }
  const params = { path: { platform_id } };
  const { platform } = await call((client) =>
    client.GET('/api/v1/platforms/{platform_id}', { params, signal }),
  );
  return platform;
}
