import { createServer } from 'node:net';
import { once } from 'node:events';
import { listenError } from '../../../http/listen-error.js';
import { ok, warning, type Check } from '../check.js';

export const port: Check = {
  name: 'port',
  title: 'The port is free, or ours',
  category: 'service',
  run: async (context) => {
    const { host, port } = await context.config();
    const holder = await context.service.get().catch(() => undefined);
    if (!holder) {
      await listenOnce(host, port);
      return ok(`${host}:${port} is free.`);
    }
    const serving = Number(new URL(holder.url).port || 80);
    if (port === 0 || serving === port) return ok(`The service listens at ${holder.url}.`);
    return warning(
      `The service listens on port ${serving}; after a restart it will listen on ${port}, as configured.`,
      `Restart it, or keep the port: ${context.command('config', 'set', 'port', String(serving))}`,
    );
  },
};

/** @throws OperatorError if nothing can listen there. */
async function listenOnce(host: string, port: number): Promise<void> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
  } catch (error) {
    throw listenError(error, host, port);
  }
}
