import { describeConsole } from '../harness.js';
import { testBackground } from './background.js';
import { testFolders } from './folders.js';
import { testLosing } from './losing.js';
import { testResuming } from './resuming.js';
import { testThreeG } from './three-g.js';
import { testUploading } from './uploading.js';

describeConsole('uploads of the console, in Chromium', (world) => {
  testUploading(world);
  testFolders(world);
  testLosing(world);
  testThreeG(world);
  testResuming(world);
  testBackground(world);
});
