import { ignoreBrokenPipes } from './broken-pipe.js';
import { chapters } from './chapters.js';
import { runProgram } from './program.js';

ignoreBrokenPipes();
process.exitCode = await runProgram(chapters, process.argv.slice(2));
