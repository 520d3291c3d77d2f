import { version } from '../../config/version.js';
import { secondMs } from '../../units.js';
import { ok, problem, warning, type Check } from '../check.js';

const limitMs = 5 * secondMs;

interface Readiness {
  readonly error?: {
    readonly message: string;
    readonly details?: Readonly<Record<string, string>>;
  };
}

export const service: Check = {
  name: 'service',
  title: 'The service is running, and all its parts work',
  category: 'service',
  run: async (context) => {
    await context.initialized.get();
    const holder = await context.service.open().catch(() => undefined);
    if (!holder) {
      return warning(
        'The service is not running.',
        `${context.command('serve')}, or: systemctl start imgstore`,
      );
    }
    const { address, pid } = holder;
    const log = `See its log, such as: journalctl -u imgstore -n 50; if it hangs: kill ${pid}`;
    const answer = await ask(`${address}/readyz`);
    if (answer === undefined) {
      return problem(`Process ${pid} is there, but does not answer at ${address}.`, log);
    }
    const down = Object.entries(answer.error?.details ?? {}).flatMap(([part, state]) =>
      state === 'ok' ? [] : [part],
    );
    if (answer.error) {
      return problem(`The service is not ready: ${down.join(', ') || answer.error.message}.`, log);
    }
    if (holder.version === version()) return ok(`${address}, version ${holder.version}.`);
    return warning(
      `The service that runs is version ${holder.version}; installed is ${version()}.`,
      `Restart it: systemctl restart imgstore, or kill ${pid} and: ${context.command('serve')}`,
    );
  },
};

async function ask(url: string): Promise<Readiness | undefined> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(limitMs) });
    return (await answer.json()) as Readiness;
  } catch {
    return undefined;
  }
}
