import type { Point } from 'typeorm';
import { ServiceError } from '../../base/errors/catalogue.js';

/** WGS 84 degrees. */
export interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}

/**
 * The location in a request, under either pair of names; null if both coordinates are empty,
 * undefined if neither is present.
 * @throws ServiceError `missing_field` when one coordinate is missing.
 */
export function readCoordinates(fields: {
  latitude?: number | null;
  longitude?: number | null;
  lat?: number | null;
  lng?: number | null;
}): Coordinates | null | undefined {
  const latitude = fields.latitude === undefined ? fields.lat : fields.latitude;
  const longitude = fields.longitude === undefined ? fields.lng : fields.longitude;
  if (latitude === undefined && longitude === undefined) return undefined;
  if (latitude === null && longitude === null) return null;
  if (typeof latitude !== 'number') throw missingHalf('latitude');
  if (typeof longitude !== 'number') throw missingHalf('longitude');
  return { latitude, longitude };
}

const missingHalf = (field: string): ServiceError =>
  new ServiceError('missing_field', {
    field,
    message: `${field} is required: latitude and longitude must be given together.`,
  });

/** Degrees to 7 decimals, about a centimeter: the precision of a sum of EXIF fractions. */
const rounded = (degrees: number): number => Math.round(degrees * 1e7) / 1e7 + 0; // no -0

/** The location at the precision in which it is stored. */
export const atPrecision = ({ latitude, longitude }: Coordinates): Coordinates => ({
  latitude: rounded(latitude),
  longitude: rounded(longitude),
});

/** GeoJSON of a location. */
export function toPoint(coordinates: Coordinates | null | undefined): Point | null {
  if (!coordinates) return null;
  const { latitude, longitude } = atPrecision(coordinates);
  return { type: 'Point', coordinates: [longitude, latitude] };
}
