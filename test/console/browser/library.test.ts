import { describeConsole } from '../harness.js';
import { testActing } from './acting.js';
import { testArriving } from './arriving.js';
import { testBelonging } from './belonging.js';
import { testByFolder } from './by-folder.js';
import { testFiltering } from './filtering.js';
import { testGrid } from './grid.js';
import { testKeyboard } from './keyboard.js';
import { testPicture } from './picture.js';
import { testTrash } from './trash.js';
import { testViewer } from './viewer.js';

describeConsole('the library of the console, in Chromium', (world) => {
  testFiltering(world);
  testGrid(world);
  testByFolder(world);
  testActing(world);
  testArriving(world);
  testTrash(world);
  testKeyboard(world);
  testPicture(world);
  testViewer(world);
  testBelonging(world);
});
