import { version } from '../../../base/installed-files.js';
import { partsDown, readiness } from '../../../http/health.js';
import { ok, problem, warning, type Check } from '../check.js';
import { NotRunning } from '../context.js';

export const service: Check = {
  name: 'service',
  title: 'The service is running, and all its parts work',
  category: 'service',
  run: async (context) => {
    await context.initialized.get();
    const holder = await context.service.open().catch((error: unknown) => {
      if (error instanceof NotRunning) return undefined;
      throw error;
    });
    if (!holder) {
      return warning(
        'The service is not running.',
        `${context.command('serve')}, or: systemctl start imgstore`,
      );
    }
    const { url, pid } = holder;
    const log = `See its log, such as: journalctl -u imgstore -n 50; if it hangs: kill ${pid}`;
    const down = partsDown(await readiness(url));
    if (down.includes('api')) {
      return problem(`Process ${pid} is running, but does not answer at ${url}.`, log);
    }
    if (down.length > 0) return problem(`The service is not ready: ${down.join(', ')}.`, log);
    if (holder.version === version()) return ok(`${url}, version ${holder.version}.`);
    return warning(
      `The running service is version ${holder.version}; version ${version()} is installed.`,
      `Restart it: systemctl restart imgstore, or kill ${pid} and: ${context.command('serve')}`,
    );
  },
};
