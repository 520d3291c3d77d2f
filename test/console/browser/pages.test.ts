import { describeConsole } from '../harness.js';
import { testAuditing } from './auditing.js';
import { testFailing } from './failing.js';
import { testNarrow } from './narrow.js';
import { testNodes } from './nodes.js';
import { testOperating } from './operating.js';
import { testPages } from './pages.js';
import { takePictures } from './pictures.js';
import { testServing } from './serving.js';
import { testSessions } from './sessions.js';
import { testSigningIn } from './signing-in.js';
import { testStatistics } from './statistics.js';

describeConsole('the console, in Chromium', (world) => {
  testServing(world);
  testSigningIn(world);
  testSessions(world);
  testPages(world);
  testOperating(world);
  testAuditing(world);
  testFailing(world);
  testNarrow(world);
  takePictures(world);
  testNodes(world);
  testStatistics(world);
});
