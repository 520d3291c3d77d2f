import type { call, components } from '../../core/api';
import { serviceSettings } from '../../core/service';

export type Link = components['schemas']['Link'];

/** What acts for the user whose pictures are shared. */
export interface Sharer {
  readonly userId: string;
  readonly call: typeof call;
}

/** What a link opens. */
export type Opens = { readonly image_ids: string[] } | { readonly folder_id: string };

/** On which terms. */
export interface Terms {
  /** Until it ends. */
  readonly days: number;
  /** Empty: visitors need none. */
  readonly password: string;
  readonly download: boolean;
  readonly place: boolean;
}

const dayMs = 86_400_000;

/** A time as the API takes it, `20250131_093015`, in the time zone of the service. */
function stampIn(timeZone: string, at: number): string {
  const options = { timeZone, dateStyle: 'short', timeStyle: 'medium' } as const;
  const [day = '', time = ''] = new Intl.DateTimeFormat('sv-SE', options).format(at).split(' ');
  return `${day.replaceAll('-', '')}_${time.replaceAll(':', '')}`;
}

const flag = (on: boolean): 'True' | 'False' => (on ? 'True' : 'False');

/** A request that may be repeated as it was. */
interface Attempt {
  /** Its key, so that one whose answer was lost makes one link. */
  readonly once: string;
  /** When the days begin. */
  readonly from: number;
}

/** Makes a link through which people without an account see pictures. */
export async function createViewLink(
  { userId: user_id, call: send }: Sharer,
  opens: Opens,
  { days, password, download, place }: Terms,
  { once, from }: Attempt,
): Promise<Link> {
  const { time_zone: zone } = await serviceSettings();
  return send((client) =>
    client.POST('/api/v1/users/{user_id}/links', {
      params: { path: { user_id }, header: { 'Idempotency-Key': once } },
      body: {
        kind: 'view',
        ...opens,
        expires_at: stampIn(zone, from + days * dayMs),
        ...(password && { password }),
        allow_download: flag(download),
        show_place: flag(place),
      },
    }),
  );
}
