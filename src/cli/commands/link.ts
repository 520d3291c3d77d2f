import { Argument, Option } from 'commander';
import { printable } from '../../base/text.js';
import { linkKinds } from '../../library/links/entity.js';
import type { LinkChanges, LinkRecord } from '../../library/links/schemas.js';
import type { LinkOwner, Links } from '../../library/links/links.js';
import { prompt } from '../ask.js';
import type { ById, CommandDetails } from '../command.js';
import type { Context } from '../context.js';
import { withTenants } from '../open.js';

const link = new Argument('<id>', 'Id of the link');

const userOption = new Option('--user <id>', 'Id of the user').makeOptionMandatory();

export const command: CommandDetails = {
  commands: [
    {
      name: 'create',
      description: "Open a user's images to people without an account, or ask them for some",
      options: [
        userOption,
        new Option('--kind <kind>', 'Whether visitors see images or send some')
          .choices(linkKinds)
          .default('view'),
        new Option('--folder-id <id>', 'The folder that it opens, with everything below it'),
        new Option('--image-ids <a,b,…>', 'Ids of the images that it shows, in place of a folder'),
        new Option('--title <text>', 'Title of its page'),
        new Option('--message <text>', 'What visitors read'),
        new Option('--expires-at <time>', 'YYYYMMDD_HHMMSS; default: in 30 days'),
        new Option('--password', 'Ask for a password that visitors must enter'),
        new Option(
          '--allow-download',
          'Let visitors download; originals with their metadata leave only with --show-place',
        ),
        new Option('--show-place', 'Show visitors where pictures were made'),
      ],
      examples: [
        'link create --user USER_ID --folder-id FOLDER_ID',
        'link create --user ID --kind request --folder-id ID',
      ],
      run: createLink,
    },
    {
      name: 'list',
      description: "List a user's links, newest first",
      options: [userOption],
      examples: ['link list --user USER_ID', 'link list --user USER_ID --json'],
      run: listLinks,
    },
    {
      name: 'pause',
      description: 'Close a link until it is resumed',
      arguments: [link],
      examples: ['link pause LINK_ID'],
      run: (context, { id }: ById) => setState(context, id, 'paused'),
    },
    {
      name: 'resume',
      description: 'Open a paused link again',
      arguments: [link],
      examples: ['link resume LINK_ID'],
      run: (context, { id }: ById) => setState(context, id, 'active'),
    },
    {
      name: 'end',
      description: 'End a link for good; images stay',
      arguments: [link],
      examples: ['link end LINK_ID'],
      run: (context, { id }: ById) =>
        changed(context, id, (links, owner) => links.remove(owner, id)),
    },
  ],
};

interface Wanted {
  readonly user: string;
  readonly kind: string;
  readonly folderId?: string;
  readonly imageIds?: string;
  readonly title?: string;
  readonly message?: string;
  readonly expiresAt?: string;
  readonly password?: true;
  readonly allowDownload?: true;
  readonly showPlace?: true;
}

async function createLink(context: Context, wanted: Wanted): Promise<void> {
  const { newLink } = await import('../../library/links/schemas.js');
  const { validate } = await import('../../http/request-fields.js');
  const password = wanted.password && (await askPassword(context));
  const owner = await owners(context);
  const document = await withTenants(context, ({ links, clock }) => {
    const fields = validate(newLink(clock), {
      kind: wanted.kind,
      folder_id: wanted.folderId,
      image_ids: wanted.imageIds,
      title: wanted.title,
      message: wanted.message,
      expires_at: wanted.expiresAt,
      password,
      allow_download: wanted.allowDownload,
      show_place: wanted.showPlace,
    });
    return links.create(owner(wanted.user), fields);
  });
  context.ui.result({ document, text: linkText(document) });
}

const askPassword = ({ interrupted }: Context): Promise<string> =>
  prompt({ type: 'password', message: 'Password of the link:' }, interrupted);

/** Makes owners; without a public URL or a service that runs, their links have only the path. */
async function owners(context: Context): Promise<(userId: string) => LinkOwner> {
  const { findService } = await import('../../ops/home.js');
  const { values: config } = await context.settings();
  const url = config.public_url ?? (await findService(context.home))?.url ?? '';
  const base = url.replace(/\/$/, '');
  return (userId) => ({ userId, actor: 'admin', urlOf: (path) => base + path });
}

const linkText = (link: LinkRecord): string => {
  const { id, kind, state, expires_at: expires, title, visits, arrivals, url } = link;
  const use = kind === 'request' ? `${arrivals} arrived` : `${visits} visits`;
  const words = [id, kind.padEnd(7), state.padEnd(7), `until ${expires}`, use, url, title];
  return printable(words.filter((word) => word !== null).join('  '));
};

async function listLinks(context: Context, { user }: { user: string }): Promise<void> {
  const { collect } = await import('../../http/paging/batches.js');
  const owner = await owners(context);
  const document = await withTenants(context, async ({ links }) => {
    const page = { last_index: 0, page_size: 1_000 };
    return collect((await links.list(owner(user), page)).items);
  });
  const text = document.map(linkText).join('\n') || 'No links yet.';
  context.ui.result({ document, text });
}

/** Changes a link of whichever user. */
async function changed(
  context: Context,
  id: string,
  work: (links: Links, owner: LinkOwner) => Promise<LinkRecord>,
): Promise<void> {
  const owner = await owners(context);
  const document = await withTenants(context, async ({ links }) =>
    work(links, owner(await links.ownerOf(id))),
  );
  context.ui.result({ document, text: linkText(document) });
}

const setState = (context: Context, id: string, state: LinkChanges['state']): Promise<void> =>
  changed(context, id, (links, owner) => links.update(owner, id, { state }));
