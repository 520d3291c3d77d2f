import { dropForeignEnvironment } from '../base/os/run.js';
import { ignoreBrokenPipes } from './broken-pipe.js';
import { chapters } from './chapters.js';
import { runProgram } from './program.js';

dropForeignEnvironment();
ignoreBrokenPipes();
process.exitCode = await runProgram(chapters, process.argv.slice(2));
