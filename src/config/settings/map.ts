import { text, tileUrl, wholeNumber } from '../schemas.js';
import { setting } from '../setting.js';

export const map = {
  'map.points_zoom': setting(wholeNumber(0, 22), {
    about:
      'First zoom at which map tiles show images one by one, as long as a tile has no more than 800; clusters otherwise',
    fallback: 14,
  }),
  'map.basemap': setting(tileUrl, {
    about:
      'Address of tiles with {z}, {x} and {y}, or of a PMTiles archive, that maps of the console show below images; default: outlines of countries, which ask no other host',
    fallback: undefined,
  }),
  'map.attribution': setting(text(), {
    about: 'Whose the tiles of map.basemap are, as their licence wants it shown on maps',
    fallback: undefined,
  }),
};
