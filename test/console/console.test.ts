import { after, describe } from 'node:test';
import { needsChromium, openChromium } from '../../testkit/chromium.js';
import { lastFirst } from '../../testkit/scope.js';
import { testService } from '../../testkit/service.js';
import { testFolders } from './folders.js';
import type { ConsoleWorld } from './harness.js';
import { takePictures } from './pictures.js';
import { testPages } from './pages.js';
import { testServing } from './serving.js';
import { testLibrary } from './library.js';
import { testPicture } from './picture.js';
import { testScrolling } from './scrolling.js';
import { testSigningIn } from './signing-in.js';
import { testUploading } from './uploading.js';
import { testMap } from './map.js';
import { testStatistics } from './statistics.js';

// One service and one browser for all: a browser costs more than what is tested in it.
describe('the console, in Chromium', needsChromium, async () => {
  if (needsChromium.skip !== undefined) return;
  const scope = lastFirst({ after });
  const service = await testService(scope);
  const browser = await openChromium(scope);
  const world: ConsoleWorld = { service, browser, url: `${service.service.url}/console` };
  testServing(world);
  testSigningIn(world);
  testPages(world);
  takePictures(world);
  testLibrary(world);
  testFolders(world);
  testPicture(world);
  testUploading(world);
  testScrolling(world);
  testStatistics(world);
  testMap(world);
});
