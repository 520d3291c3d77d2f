import { call } from '../../core/api';
import type { components } from '../../core/api';
import { useRead } from '../../core/use-read';
import type { Read } from '../../core/use-read';

export type PlatformLimits = components['schemas']['PlatformLimits'];

/** @param turn reads again when it changes. */
export const useLimits = (platform_id: string, turn: number): Read<PlatformLimits> =>
  useRead(
    (signal) =>
      call((client) =>
        client.GET('/api/v1/platforms/{platform_id}/limits', {
          params: { path: { platform_id } },
          signal,
        }),
      ),
    [platform_id, turn],
  );
