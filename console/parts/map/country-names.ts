import type { FeatureCollection } from 'geojson';
import type { Language } from '../../core/i18n';
import type { Outlines } from './countries';

/** It has a code, but no number. */
const kosovo = { name: 'Kosovo', code: 'XK' };

/** The names of countries in a language, as the browser knows them. Few lands have none there. */
export function countryNames(lands: Outlines['lands'], language: Language): FeatureCollection {
  const names = new Intl.DisplayNames(language, { type: 'region', style: 'short' });
  return {
    type: 'FeatureCollection',
    features: lands.map((land) => {
      const { name, number } = land.properties;
      const code = number === undefined ? undefined : new Intl.Locale(`und-${number}`).region;
      const known = name === kosovo.name ? kosovo.code : code;
      const properties = { ...land.properties, name: known ? (names.of(known) ?? name) : name };
      return { ...land, properties };
    }),
  };
}
