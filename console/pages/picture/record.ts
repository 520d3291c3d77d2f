import type { components } from '../../core/api';
import type { Access } from '../library/access';

export type Image = components['schemas']['Image'];

/** What the page of a picture passes to its parts. */
export interface PartProps {
  readonly access: Access;
  readonly image: Image;
  /** To be called when the image has changed, so that it is read again. */
  readonly onChange: () => void;
}

const all = { with_memo: 'True', with_custom: 'True', with_history: 'True' } as const;

/** An image with its memos, customs and versions. */
export const readImage = (access: Access, image_id: string, signal: AbortSignal): Promise<Image> =>
  access.call((client) =>
    client.GET('/api/v1/users/{user_id}/images/{image_id}', {
      params: { path: { user_id: access.userId, image_id }, query: all },
      signal,
    }),
  );

export interface Changes {
  readonly delete?: 'True' | 'False';
  readonly has_det?: 'True' | 'False' | 'None';
  readonly latitude?: number;
  readonly longitude?: number;
  readonly address_road?: string;
  readonly address_land?: string;
  readonly address_land_number?: string;
  readonly building_name?: string;
  readonly address_sort?: string;
  readonly address_det?: string;
}

/** A coordinate as it was typed. An empty one clears it, which the OpenAPI document has no type for. */
export const degreesOf = (text: string): number =>
  text.trim() ? Number(text) : ('' as unknown as number);

export const updateImage = (access: Access, image_id: string, changes: Changes): Promise<Image> =>
  access.call((client) =>
    client.PUT('/api/v1/users/{user_id}/images/{image_id}', {
      params: { path: { user_id: access.userId, image_id }, query: all },
      body: changes,
    }),
  );

/** Meters within which pictures count as taken at the same spot. */
const spotRadius = 30;
/** More of one spot are not shown. */
const mostOfSpot = 50;

interface Sight {
  readonly latitude: number;
  readonly longitude: number;
  readonly direction: number | null;
}

/** Images around a place, nearest first; those that look the same way if its direction is known. */
export function readSameSpot(
  access: Access,
  { latitude, longitude, direction }: Sight,
  signal: AbortSignal,
): Promise<Image[]> {
  const found = access.call((client) =>
    client.GET('/api/v1/users/{user_id}/images/group', {
      params: {
        path: { user_id: access.userId },
        query: {
          use_radius: 'True',
          latitude,
          longitude,
          radius: spotRadius,
          ...(direction !== null && { direction }),
          page_size: mostOfSpot,
        },
      },
      signal,
    }),
  );
  // Without use_radius, the operation lists places.
  return found.then(({ items }) => items as Image[]);
}
