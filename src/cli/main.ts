import { chapters } from './chapters.js';
import { runProgram } from './program.js';

process.exitCode = await runProgram(chapters, process.argv.slice(2));
