import type { Point } from 'typeorm';
import { ServiceError } from '../errors/catalogue.js';

/** WGS 84 degrees. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/**
 * The place that a request gives, under either pair of names.
 * @throws ServiceError `missing_field` when one half is missing.
 */
export function placeOf(fields: {
  latitude?: number;
  longitude?: number;
  lat?: number;
  lng?: number;
}): Place | undefined {
  const latitude = fields.latitude ?? fields.lat;
  const longitude = fields.longitude ?? fields.lng;
  if (latitude === undefined && longitude === undefined) return undefined;
  if (latitude === undefined) throw halfPlace('latitude');
  if (longitude === undefined) throw halfPlace('longitude');
  return { latitude, longitude };
}

const halfPlace = (field: string): ServiceError =>
  new ServiceError('missing_field', {
    field,
    message: `${field} is required: latitude and longitude come together or not at all.`,
  });

/** Degrees to 7 decimals, about a centimetre: what a sum of EXIF fractions is good for. */
const rounded = (degrees: number): number => Math.round(degrees * 1e7) / 1e7;

/** GeoJSON of a place. */
export const toPoint = (place: Place | undefined): Point | null =>
  place
    ? { type: 'Point', coordinates: [rounded(place.longitude), rounded(place.latitude)] }
    : null;
