import { describeConsole } from '../harness.js';
import { testBaseMap } from './base-map.js';
import { testGivenMap } from './given-map.js';
import { testLinkPage } from './link-page.js';
import { testLinkSharing } from './link-sharing.js';
import { testMapPanels } from './map-panels.js';
import { testMap } from './map.js';

describeConsole('maps and links of the console, in Chromium', (world) => {
  testMap(world);
  testMapPanels(world);
  testBaseMap(world);
  testGivenMap(world);
  testLinkPage(world);
  testLinkSharing(world);
});
