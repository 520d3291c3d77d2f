import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Option } from 'commander';
import type { Config } from '../../base/config/options.js';
import { badConfiguration, failure } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import { secondMs } from '../../base/units.js';
import type { Tenants } from '../../ops/tenants.js';
import type { CommandDetails } from '../command.js';
import type { Context } from '../context.js';
import { withTenants } from '../open.js';
import { requireService } from '../running-service.js';

export const command: CommandDetails = {
  options: [new Option('--open', 'Open it in the browser of this machine')],
  examples: ['console', 'console --open'],
  run: linkToConsole,
};

interface ConsoleOptions {
  readonly open?: true;
}

/**
 * A link that signs in to the console; it works once. @param url of the running service, unless the
 * settings name a public one.
 */
export async function signInLink(
  { consoleSignIn }: Pick<Tenants, 'consoleSignIn'>,
  { public_url }: Config,
  url: string,
): Promise<string> {
  const base = (public_url ?? url).replace(/\/$/, '');
  // After a #: browsers do not send that part, and proxies do not log it.
  return `${base}/console/#code=${await consoleSignIn.makeCode()}`;
}

/** Prints a link that signs in to the console. */
async function linkToConsole(context: Context, { open }: ConsoleOptions): Promise<void> {
  const { linkLifetime } = await import('../../http/auth/sign-in.js');
  const { values: config } = await context.settings();
  if (!config['console.enabled']) {
    throw badConfiguration('The console is switched off.', {
      setting: 'console.enabled',
      remedy: commandLine('config', 'set', 'console.enabled', 'true'),
    });
  }
  const running = await requireService(context.home);
  const url = await withTenants(context, (tenants) => signInLink(tenants, config, running.url));
  const expires = new Date(Date.now() + linkLifetime * secondMs).toISOString();
  context.ui.result({ document: { url, expires_at: expires }, text: url });
  if (open) await openBrowser(url);
}

/**
 * Opens a private page that redirects to the link: as an argument, everybody on the machine could
 * read the link in the list of processes.
 */
async function openBrowser(url: string): Promise<void> {
  const folder = await mkdtemp(join(process.env.XDG_RUNTIME_DIR ?? tmpdir(), 'imgstore-console-'));
  const page = join(folder, 'console.html');
  await writeFile(page, `<meta http-equiv="refresh" content="0; url=${url}">\n`, { mode: 0o600 });
  const browser = spawn('xdg-open', [page], { stdio: 'ignore', detached: true });
  const [code] = (await once(browser, 'exit').catch((cause: unknown) => {
    throw noBrowser(cause);
  })) as [number | null];
  if (code !== 0) throw noBrowser();
}

const noBrowser = (cause?: unknown) =>
  failure('No browser could be opened with xdg-open.', {
    remedy: 'Open the link above in a browser.',
    cause,
  });
