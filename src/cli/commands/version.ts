import { version } from '../../base/installed-files.js';
import type { Context } from '../context.js';

export async function showVersion({ ui }: Context): Promise<void> {
  ui.result({ document: { version: version() }, text: version() });
}
