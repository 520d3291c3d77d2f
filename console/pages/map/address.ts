import { number } from '../../core/i18n';

/** The parts of an image's record that say where it was taken. */
interface Addressed {
  readonly address_road: string | null;
  readonly address_land: string | null;
  readonly address_det: string | null;
  readonly building_name: string | null;
}

/** A road address before a land-lot one. */
export const addressOf = ({ address_road: road, address_land: land }: Addressed) => road ?? land;

/** What an address does not say: the building, and the place in it. */
export const withinAddress = ({ building_name: building, address_det: detail }: Addressed) =>
  [building, detail].filter(Boolean).join(', ');

export const coordinatesText = (latitude: number, longitude: number): string =>
  [latitude, longitude].map((degrees) => number(degrees, 5)).join(', ');
