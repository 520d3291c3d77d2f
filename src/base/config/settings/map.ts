import { text, tileUrl, wholeNumber } from '../schemas.js';
import { setting } from '../setting.js';

export const map = {
  'map.points_zoom': setting(wholeNumber(0, 22), {
    about:
      'Lowest zoom at which map tiles show single images, if a tile has at most 800; otherwise clusters',
    fallback: 14,
  }),
  'map.basemap': setting(tileUrl, {
    about:
      'URL of tiles with {z}, {x} and {y}, or of a PMTiles archive, shown below the images on maps of the console; default: country outlines, which need no other host',
    fallback: undefined,
  }),
  'map.attribution': setting(text(), {
    about: 'Attribution of the tiles of map.basemap, shown on maps as their license requires',
    fallback: undefined,
  }),
};
