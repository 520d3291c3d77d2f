import { once } from 'node:events';
import { createServer } from 'node:net';
import { listenError } from '../../http/server.js';
import { check, parsed, type Asking, type Chosen } from './asking.js';

type Reach = 'here' | 'network' | 'proxy';

/** Asks who may call the API, and on which port. */
export async function askReach(asking: Asking): Promise<Chosen> {
  const { host, public_url, trust_proxy } = await askWho(asking);
  const chosen = {
    ...(host !== undefined && { host }),
    ...(public_url !== undefined && { public_url }),
    ...(trust_proxy !== undefined && { trust_proxy }),
  };
  return { ...chosen, ...(await askPort(asking, chosen)) };
}

async function askWho(asking: Asking): Promise<Chosen> {
  const open = (['host', 'public_url', 'trust_proxy'] as const).every((key) => asking.isOpen(key));
  if (!open) return {};
  const reach = await asking.choose<Reach>('Who should be able to reach it?', [
    { name: 'Programs on this machine', value: 'here' },
    { name: 'Other machines, at a public URL behind a reverse proxy', value: 'proxy' },
    { name: 'Other machines, directly and without TLS', value: 'network' },
  ]);
  if (reach === 'here') return {};
  if (reach === 'network') return { host: '0.0.0.0' };
  const url = await asking.text(
    'At which public URL (such as https://img.example.com)?',
    '',
    check('public_url'),
  );
  return { ...parsed('public_url', url), trust_proxy: 1 };
}

async function askPort(asking: Asking, chosen: Chosen): Promise<Chosen> {
  if (!asking.isOpen('port')) return {};
  const { host, port: usual } = asking.with(chosen);
  const port = await asking.untilItWorks<string>(
    (earlier) => asking.text('On which TCP port?', earlier ?? String(usual), check('port')),
    (answer) => assertFree(host, Number(answer)),
  );
  return Number(port) === usual ? {} : parsed('port', port);
}

/** @throws OperatorError that says why nothing can listen on this port. */
async function assertFree(host: string, port: number): Promise<void> {
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    throw listenError(error, host, port);
  }
  server.close();
  await once(server, 'close');
}
