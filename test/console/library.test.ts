import { longForm } from '../../testkit/long-form.js';
import { testActing } from './acting.js';
import { testBelonging } from './belonging.js';
import { testFolders } from './folders.js';
import { testGrid } from './grid.js';
import { describeConsole } from './harness.js';
import { testKeyboard } from './keyboard.js';
import { testLibrary } from './library.js';
import { testLosing } from './losing.js';
import { testPicture } from './picture.js';
import { testScrolling } from './scrolling.js';
import { testTrash } from './trash.js';
import { testUploading } from './uploading.js';
import { testViewer } from './viewer.js';

describeConsole('the library of the console, in Chromium', (world) => {
  testLibrary(world);
  testFolders(world);
  testGrid(world);
  testActing(world);
  testTrash(world);
  testKeyboard(world);
  testPicture(world);
  testViewer(world);
  testUploading(world);
  testLosing(world);
  testBelonging(world);
  testScrolling(world, longForm ? 100_000 : 5_000);
});
