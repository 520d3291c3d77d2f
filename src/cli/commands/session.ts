import { Argument, Option } from 'commander';
import { printable } from '../../base/text.js';
import type { OwnedSession } from '../../http/auth/sessions.js';
import { parseWhole } from '../ask.js';
import type { CommandDetails } from '../command.js';
import type { Context } from '../context.js';
import { withTenants } from '../open.js';

export const command: CommandDetails = {
  commands: [
    {
      name: 'list',
      description:
        'List who is signed in to the console: sessions that have not ended, the last used first',
      options: [
        new Option('--user <id>', 'Only those of this user').conflicts('platform'),
        new Option('--platform <id>', 'Only those of this platform and its users'),
        new Option('--limit <n>', 'The last used, up to 100000').default('1000'),
      ],
      examples: ['session list', 'session list --user USER_ID --json'],
      run: listSessions,
    },
    {
      name: 'end',
      description: 'End a session at once, on every node',
      arguments: [new Argument('<id>', 'Id of the session')],
      examples: ['session end SESSION_ID'],
      run: endSession,
    },
  ],
};

interface Filters {
  readonly user?: string;
  readonly platform?: string;
  readonly limit: string;
}

const ownerOf = ({ platform_id: platform, user_id: user }: OwnedSession): string =>
  user ? `user ${user}` : platform ? `platform ${platform}` : 'administrator';

async function listSessions(context: Context, { user, platform, ...rest }: Filters): Promise<void> {
  const limit = parseWhole('--limit', rest.limit, 1, 100_000);
  const document = await withTenants(context, async ({ sessions, users, platforms }) => {
    const userId = user && (await users.get(undefined, user)).id;
    const platformId = platform && (await platforms.get(platform)).id;
    return sessions.list({ userId, platformId }, limit);
  });
  context.ui.list({
    document,
    headers: ['ID', 'PERSON', 'SIGNED IN AS', 'SINCE', 'LAST USED', 'UNTIL', 'DEVICE'],
    rows: document.map((session) => [
      session.id,
      session.name,
      ownerOf(session),
      session.created_at,
      session.last_used_at,
      session.expires_at,
      session.device,
    ]),
    none: 'Nobody is signed in.',
  });
}

async function endSession(context: Context, { id }: { id: string }): Promise<void> {
  const document = await withTenants(context, ({ sessions }) => sessions.end(id));
  const text = `The session of ${printable(document.name)}, ${ownerOf(document)}, has ended.`;
  context.ui.result({ document, text });
}
