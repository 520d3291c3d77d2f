import { Argument, Option } from 'commander';
import { printable } from '../../base/text.js';
import { counted } from '../../base/units.js';
import type { HoldRecord } from '../../library/holds/schemas.js';
import type { CommandDetails } from '../command.js';
import type { Context } from '../context.js';
import { withTenants } from '../open.js';

const platformOption = new Option('--platform <id>', 'Id of the platform').makeOptionMandatory();

export const command: CommandDetails = {
  commands: [
    {
      name: 'create',
      description: 'Keep images, a folder, or a user: nothing of it is deleted for good',
      options: [
        platformOption,
        new Option('--reason <text>', 'Why, for those who meet the hold').makeOptionMandatory(),
        new Option('--until <day>', 'Last day YYYYMMDD, or YYYYMMDD_HHMMSS; default: no end'),
        new Option('--image-ids <a,b,…>', 'Ids of the images that it keeps'),
        new Option('--folder-id <id>', 'The folder that it keeps, with what is and comes below it'),
        new Option('--user-id <id>', 'The user whom it keeps, with all images and folders'),
      ],
      examples: [
        'hold create --platform ID --user-id ID --reason case-2026-118',
        'hold create --platform ID --image-ids A,B --reason case-7',
      ],
      run: createHold,
    },
    {
      name: 'list',
      description: "List a platform's holds, ended ones included, newest first",
      options: [platformOption],
      examples: ['hold list --platform PLATFORM_ID'],
      run: listHolds,
    },
    {
      name: 'release',
      description: 'End a hold, of an administrator or a platform',
      arguments: [new Argument('<id>', 'Id of the hold')],
      examples: ['hold release HOLD_ID'],
      run: releaseHold,
    },
  ],
};

interface Wanted {
  readonly platform: string;
  readonly reason: string;
  readonly until?: string;
  readonly imageIds?: string;
  readonly folderId?: string;
  readonly userId?: string;
}

async function createHold(context: Context, wanted: Wanted): Promise<void> {
  const { newHold } = await import('../../library/holds/schemas.js');
  const { validate } = await import('../../http/request-fields.js');
  const document = await withTenants(context, ({ holds, clock }) => {
    const fields = validate(newHold(clock), {
      reason: wanted.reason,
      until: wanted.until,
      image_ids: wanted.imageIds,
      folder_id: wanted.folderId,
      user_id: wanted.userId,
    });
    return holds.create(wanted.platform, 'admin', fields);
  });
  context.ui.result({ document, text: holdText(document) });
}

async function listHolds(context: Context, { platform }: { platform: string }): Promise<void> {
  const { collect } = await import('../../http/paging/batches.js');
  const document = await withTenants(context, async ({ holds }) => {
    const found: HoldRecord[] = [];
    for (let next: number | null = 0; next !== null;) {
      const page = await holds.list(platform, { last_index: next, page_size: 1_000 });
      found.push(...(await collect(page.items)));
      next = page.next_cursor === null ? null : page.last_index;
    }
    return found;
  });
  const text = document.map(holdText).join('\n') || 'No holds yet.';
  context.ui.result({ document, text });
}

async function releaseHold(context: Context, { id }: { id: string }): Promise<void> {
  const document = await withTenants(context, async ({ holds }) =>
    holds.release(await holds.platformOf(id), 'admin', id),
  );
  context.ui.result({ document, text: holdText(document) });
}

/** What a hold is on, since when, by whom, and why. */
export function holdText(hold: HoldRecord): string {
  const { image_ids: images, folder_id: folder, user_id: user } = hold;
  const what = images
    ? counted(images.length, 'image')
    : folder
      ? `folder ${folder}`
      : `user ${user}`;
  const end = hold.released_at
    ? `released ${hold.released_at}`
    : `until ${hold.until ?? 'released'}`;
  return `${hold.id}  ${what}  since ${hold.created_at} by ${hold.created_by}, ${end}: ${printable(hold.reason)}`;
}
