import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { imagingProgram } from '../../../imaging/decoder-process.js';
import { prepareSandbox, sandboxRemedy, type Confinement } from '../../../imaging/sandbox.js';
import { createLogger } from '../../../base/telemetry/logger.js';
import { ok, warning, type Check } from '../check.js';
import type { DoctorContext } from '../context.js';

export const sandbox: Check = {
  name: 'sandbox',
  title: 'Pictures are decoded in bubblewrap',
  category: 'machine',
  run: async (context) => {
    const { 'imaging.sandbox': setting } = await context.config();
    const running = await context.service.get().catch(() => undefined);
    const { level, about, lacks = '' } = running?.confinement ?? (await trial(context));
    if (level === 'bubblewrap') return ok(about);
    const remedy =
      setting === 'off'
        ? `Use it, and restart the service: ${context.command('config', 'set', 'imaging.sandbox', 'auto')}`
        : sandboxRemedy(lacks);
    return warning(`bubblewrap is not used: ${lacks}. ${about}`, remedy);
  },
};

/** What would confine the processes of a service that this user started. */
async function trial(context: DoctorContext): Promise<Confinement> {
  const { 'imaging.sandbox': setting } = await context.config();
  const folder = await mkdtemp(join(context.home.incoming, 'doctor-'));
  const logger = createLogger({ level: 'error', format: 'text' });
  logger.silent = true; // its messages are in the finding
  try {
    const wanted = setting === 'off' ? 'off' : 'auto';
    return (await prepareSandbox(imagingProgram, folder, wanted, logger)).confinement;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
