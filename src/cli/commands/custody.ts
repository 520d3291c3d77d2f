import { readFile } from 'node:fs/promises';
import { Argument, Option } from 'commander';
import { ExitCode, failure } from '../../base/errors/operator.js';
import { counted } from '../../base/units.js';
import type { VerifiedCustody } from '../../feed/custody/verify.js';
import type { CommandDetails } from '../command.js';
import type { Context } from '../context.js';
import { advising } from '../interrupt.js';
import { withTenants } from '../open.js';
import { SilentExit } from '../ui.js';

const platform = new Argument('<platform>', 'Id of the platform');

export const command: CommandDetails = {
  commands: [
    {
      name: 'verify',
      description: 'Verify that images are what the logs say, and the logs what was published',
      options: [
        new Option('--checkpoint <a,b,…>', 'Checkpoints that were kept elsewhere, by commas'),
      ],
      examples: ['custody verify', 'custody verify --checkpoint monday.txt'],
      run: verify,
    },
    {
      name: 'publish',
      description: 'Let anybody read the log of a platform, which tells how much is uploaded',
      arguments: [platform],
      examples: ['custody publish PLATFORM_ID'],
      run: (context, { platform: id }: OfPlatform) => publish(context, id, true),
    },
    {
      name: 'hide',
      description: "Let only the platform's tokens read its log, as in the beginning",
      arguments: [platform],
      examples: ['custody hide PLATFORM_ID'],
      run: (context, { platform: id }: OfPlatform) => publish(context, id, false),
    },
  ],
};

interface OfPlatform {
  readonly platform: string;
}

async function publish(context: Context, id: string, published: boolean): Promise<void> {
  await withTenants(context, ({ platforms }) => platforms.publishLog(id, published));
  const text = published
    ? `Anybody may read /log/${id}/.`
    : `Only tokens of the platform may read /log/${id}/.`;
  context.ui.result({ document: { id, publish_log: published }, text });
}

/** The checkpoints of files that were named with commas. @throws OperatorError. */
export async function readCheckpoints(files: string | undefined): Promise<string[]> {
  const { parseCheckpoint } = await import('../../feed/custody/notes.js');
  const read = async (path: string): Promise<string> => {
    const text = await readFile(path, 'utf8').catch((cause: unknown) => {
      throw failure(`Cannot read ${path}: ${(cause as Error).message}`, { cause });
    });
    if (parseCheckpoint(text)) return text;
    throw failure(`${path} is not a checkpoint.`, { setting: '--checkpoint' });
  };
  return Promise.all((files?.split(',') ?? []).map(read));
}

async function verify(context: Context, { checkpoint }: { checkpoint?: string }): Promise<void> {
  const { verifyCustody } = await import('../../feed/custody/verify.js');
  const { ui, home, interrupted: signal } = context;
  const checkpoints = await readCheckpoints(checkpoint);
  const document = await advising('Run the same command again.', () =>
    withTenants(context, ({ db }) =>
      verifyCustody({ db, home, checkpoints, report: ui.progress, signal }),
    ),
  );
  ui.result({ document, text: textOf(document) });
  if (!document.ok) throw new SilentExit(ExitCode.different);
}

function textOf({
  ok,
  differences,
  differences_total: total,
  ...checked
}: VerifiedCustody): string {
  const { images, waiting, entries, logs } = checked;
  const scope = [
    counted(images, 'image'),
    `${counted(entries, 'entry', 'entries')} of ${counted(logs, 'log')}`,
    ...(waiting > 0
      ? [`${counted(waiting, 'image')} whose changes the log has yet to take in`]
      : []),
  ].join(', ');
  if (ok) return `Everything is as the logs say: ${scope}.`;
  const more = total - differences.length;
  return [
    ...differences.map(({ platform_id: of, image_id: image, what }) =>
      image === null ? `platform ${of}: ${what}` : `image ${image}, platform ${of}: ${what}`,
    ),
    ...(more > 0 ? [`… and ${more.toLocaleString('en')} more.`] : []),
    `${counted(total, 'difference')}; ${scope}.`,
    'Remedy: keep this database, the store, and the home as they are, for those who look into it; proofs and checkpoints that were handed out before tell what was.',
  ].join('\n');
}
