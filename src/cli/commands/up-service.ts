import { relative } from 'node:path';
import { defaultHome, userFolder, type Home } from '../../base/config/home.js';
import { packageFile } from '../../base/installed-files.js';
import { programName, shellWord } from '../../base/os/command-line.js';
import { collect } from '../../http/paging/batches.js';
import type { Tenants } from '../../ops/tenants.js';
import type { CommandDetails } from '../command.js';
import type { Context } from '../context.js';
import { writeTokenFiles, tokenFile } from '../token-files.js';
import type { CommandResult } from '../ui.js';
import { signInLink } from './console.js';
import { initializeHome } from './init.js';

export const command: CommandDetails = {
  run: upService,
};

const sample = packageFile('assets/sample.jpg');

/** A path as a person would type it: from the home directory, if the shell reads it like that. */
function typed(path: string): string {
  const folder = userFolder();
  const below = folder === undefined ? '..' : relative(folder, path);
  return !below.startsWith('..') && shellWord(below) === below ? `~/${below}` : shellWord(path);
}

/** A path relative to the current directory, if it lies below that. */
function fromHere(path: string): string {
  const below = relative(process.cwd(), path);
  return below.startsWith('..') ? typed(path) : shellWord(below);
}

interface Greeted {
  readonly url: string;
  readonly home: Home;
  readonly platform: string;
  readonly user: { readonly name: string; readonly id: string };
  /** Undefined if the console is switched off. */
  readonly console: ConsoleAccess | undefined;
  /** Whether the log omits requests, as with `up` on a terminal. */
  readonly requestsHidden: boolean;
}

/** A command that uploads a picture, ready to be pasted. */
function uploadCommand({ url, home, user }: Greeted): string {
  return [
    `curl -H "Authorization: User $(cat ${typed(tokenFile(home, 'user'))})"`,
    ` -F image_data=@${fromHere(sample)}`,
    ` ${url}/api/v1/users/${user.id}/images`,
  ].join(' \\\n');
}

/** Where the web console is, and how to sign in to it. */
interface ConsoleAccess {
  readonly url: string;
  /** A link that signs in, once. */
  readonly link: string;
  /** The command that prints another link. */
  readonly sign_in: string;
}

export function consoleAccess(url: string, home: Home, link: string): ConsoleAccess {
  const where = home.dir === defaultHome() ? '' : ` --home ${typed(home.dir)}`;
  return { url: `${url}/console/`, link, sign_in: `${programName()} console${where}` };
}

const consoleLines = ({ url, sign_in }: ConsoleAccess): string => `
  console   ${url}
            for another sign-in link, run in a second terminal:
            ${sign_in}`;

/** The link is a line of its own: terminals open what is one word. */
const linkLines = ({ link }: ConsoleAccess): string => `
Sign in to the console; this link works once, within ten minutes:

${link}
`;

/** What a person needs to begin, on one screen. */
export function greetingText(greeted: Greeted): string {
  const { url, home, platform, user, console: access, requestsHidden } = greeted;
  return `
imgstore is ready.

  URL       ${url}${access ? consoleLines(access) : ''}
  API docs  ${url}/docs
  home      ${typed(home.dir)}
  tokens    ${typed(home.tokens)}
            readable only by you: admin, platform ("${platform}"),
            user ("${user.name}")
${access ? linkLines(access) : ''}
Upload a picture:

${uploadCommand(greeted)}

${requestsHidden ? 'Requests are not shown here; --log-level info shows them.\n' : ''}Ctrl-C stops everything.
`;
}

const firstPlatform = 'demo';
const firstUser = 'demo-user';

async function upService(context: Context): Promise<void> {
  const { serveUntilSignal } = await import('../serve-until-signal.js');
  await initializeHome(context);
  await serveUntilSignal(context, async ({ url, tenants }) => greeting(context, url, tenants));
}

/** Writes the first tokens to files, and shows how to use them. */
async function greeting(context: Context, url: string, tenants: Tenants): Promise<CommandResult> {
  const { admin, platform, user } = await startingTokens(tenants);
  const { home, ui } = context;
  await writeTokenFiles(home, {
    admin: admin.access_token,
    platform: platform.access_token,
    user: user.access_token,
  });
  const { values } = await context.settings();
  const greeted = {
    url,
    home,
    platform: firstPlatform,
    user: { name: firstUser, id: user.user_id },
    console: values['console.enabled']
      ? consoleAccess(url, home, await signInLink(tenants, values, url))
      : undefined,
    requestsHidden: ui.onTerminal && values['log.level'] === 'warn',
  };
  const document = {
    address: url,
    ...(greeted.console && { console: greeted.console }),
    docs: `${url}/docs`,
    tokens: home.tokens,
    admin,
    platform,
    user,
    curl: uploadCommand(greeted),
  };
  return { document, text: greetingText(greeted) };
}

/** Tokens of the first platform and user, both created if missing. */
async function startingTokens({ tokens, platforms, users }: Tenants) {
  const admin = await tokens.issue({});
  const known = (await collect(await platforms.list())).find((p) => p.platform === firstPlatform);
  const platform = known
    ? { ...known, ...(await platforms.issueTokens(known.id)) }
    : await platforms.create(firstPlatform);
  const [listed] = await users.named(platform.id, firstUser);
  const user = listed
    ? { user_id: listed.id, platform_id: platform.id, ...(await users.issueTokens(listed.id)) }
    : await users.create(platform.id, firstUser, { actor: 'admin' });
  return { admin, platform, user };
}
