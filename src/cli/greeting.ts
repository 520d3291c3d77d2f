import { relative } from 'node:path';
import { defaultHome, userFolder } from '../base/config/home.js';
import type { Home } from '../base/config/home.js';
import { programName, shellWord } from '../base/os/command-line.js';
import { packageFile } from '../base/installed-files.js';
import { tokenFile } from './token-files.js';

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

export interface Greeted {
  readonly url: string;
  readonly home: Home;
  readonly platform: string;
  readonly user: { readonly name: string; readonly id: string };
  /** Whether the web console is served. */
  readonly console: boolean;
  /** Whether the log omits requests, as with `up` on a terminal. */
  readonly requestsHidden: boolean;
}

/** A command that uploads a picture, ready to be pasted. */
export function uploadCommand({ url, home, user }: Greeted): string {
  return [
    `curl -H "Authorization: User $(cat ${typed(tokenFile(home, 'user'))})"`,
    ` -F image_data=@${fromHere(sample)}`,
    ` ${url}/api/v1/users/${user.id}/images`,
  ].join(' \\\n');
}

/** Where the web console is, and the command that prints a link which signs in to it. */
export function consoleAccess({ url, home }: Greeted): { url: string; sign_in: string } {
  const where = home.dir === defaultHome() ? '' : ` --home ${typed(home.dir)}`;
  return { url: `${url}/console/`, sign_in: `${programName()} console${where}` };
}

const consoleLines = ({ url, sign_in }: ReturnType<typeof consoleAccess>): string => `
  console   ${url}
            for a sign-in link, run in a second terminal:
            ${sign_in}`;

/** What a person needs to begin, on one screen. */
export function greetingText(greeted: Greeted): string {
  const { url, home, platform, user, requestsHidden } = greeted;
  return `
imgstore is ready.

  URL       ${url}${greeted.console ? consoleLines(consoleAccess(greeted)) : ''}
  API docs  ${url}/docs
  home      ${typed(home.dir)}
  tokens    ${typed(home.tokens)}
            readable only by you: admin, platform ("${platform}"),
            user ("${user.name}")

Upload a picture:

${uploadCommand(greeted)}

${requestsHidden ? 'Requests are not shown here; --log-level info shows them.\n' : ''}Ctrl-C stops everything.
`;
}
