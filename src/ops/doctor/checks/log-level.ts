import { readLevel } from '../../../base/telemetry/logger.js';
import { ok, warning, type Check } from '../check.js';

export const logLevel: Check = {
  name: 'log-level',
  title: 'The log is not at the level debug',
  category: 'upkeep',
  run: async (context) => {
    const { 'log.level': configured } = await context.config();
    const running = await context.service.get().catch(() => undefined);
    const now = running && readLevel(context.home.logLevel);
    if (now === 'debug') {
      return warning(
        'The running service logs at the level debug, which fills the log.',
        context.command('logs', 'level', 'default'),
      );
    }
    if (configured !== 'debug') return ok(`It is ${now ?? configured}.`);
    return warning(
      'The configured level of the log is debug, which fills the log.',
      `${context.command('config', 'set', 'log.level', 'info')}; until the next start: ${context.command('logs', 'level', 'info')}`,
    );
  },
};
