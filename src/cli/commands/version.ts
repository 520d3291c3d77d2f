import { version } from '../../base/config/version.js';
import type { Context } from '../context.js';

export async function showVersion({ ui }: Context): Promise<void> {
  ui.result({ document: { version: version() }, text: version() });
}
