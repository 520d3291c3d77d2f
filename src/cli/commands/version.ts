import { version } from '../../base/installed-files.js';
import type { CommandDetails } from '../command.js';
import type { Context } from '../context.js';

export const command: CommandDetails = {
  examples: ['version', 'version --json'],
  run: showVersion,
};

async function showVersion({ ui }: Context): Promise<void> {
  ui.result({ document: { version: version() }, text: version() });
}
