import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Argument, Option } from 'commander';
import { ExitCode, failure } from '../../base/errors/operator.js';
import { bytesPerMegabyte, counted } from '../../base/units.js';
import {
  checkProof,
  maxProofBytes,
  ProofError,
  versionOf,
  type Proved,
} from '../../feed/custody/check-proof.js';
import type { CommandDetails } from '../command.js';
import type { Context } from '../context.js';
import { withTenants } from '../open.js';
import { SilentExit } from '../ui.js';

export const command: CommandDetails = {
  arguments: [new Argument('<image>', 'Id of the image; with --check, the file of the picture')],
  options: [
    new Option('--full', 'All entries, instead of the first and the newest 19'),
    new Option('--check <proof>', 'Check a proof, here alone: no home, no network'),
    new Option(
      '--checkpoint <file>',
      'With --check: a checkpoint of the log that you have from elsewhere',
    ),
    new Option(
      '--ca <file>',
      'With --check: certificates of the time-stamping service that you trust (PEM); needs openssl',
    ),
  ],
  examples: [
    'prove IMAGE_ID > proof.txt',
    'prove --check proof.txt picture.jpg',
    'prove --check proof.txt picture.jpg --checkpoint checkpoint.txt',
    'prove --check proof.txt picture.jpg --ca service.pem',
  ],
  run: prove,
};

interface Options {
  readonly image: string;
  readonly full?: boolean;
  readonly check?: string;
  readonly checkpoint?: string;
  readonly ca?: string;
}

async function prove(context: Context, options: Options): Promise<void> {
  const { image, full = false, check } = options;
  if (check !== undefined) return checkPicture(context, check, options);
  const proof = await withTenants(context, ({ proofs }) => proofs.of(image, full));
  // The command prints the last line break.
  context.ui.result({ document: { proof }, text: proof.replace(/\n$/, '') });
}

/** @throws OperatorError for a file that cannot be read. */
async function readText(path: string, most: number): Promise<string> {
  const unreadable = (cause: unknown) =>
    failure(`Cannot read ${path}: ${(cause as Error).message}`, { cause });
  const { size } = await stat(path).catch((cause: unknown) => Promise.reject(unreadable(cause)));
  if (size > most) throw failure(`${path} is too large to be what it should be: ${size} bytes.`);
  return readFile(path, 'utf8').catch((cause: unknown) => Promise.reject(unreadable(cause)));
}

/** As large as all that a machine trusts, and more. */
const maxCaBytes = 16 * bytesPerMegabyte;

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash).catch((cause: unknown) => {
    throw failure(`Cannot read ${path}: ${(cause as Error).message}`, { cause });
  });
  return hash.digest('hex');
}

async function checkPicture(
  { ui }: Context,
  check: string,
  { image: picture, checkpoint, ca }: Options,
): Promise<void> {
  const { primitives } = await import('../../feed/custody/crypto.js');
  const proof = await readText(check, maxProofBytes);
  const known = checkpoint === undefined ? undefined : await readText(checkpoint, maxProofBytes);
  const hash = await hashOf(picture);
  try {
    const proved = checkProof(proof, primitives, known);
    const version = versionOf(proved, hash);
    if (version === undefined)
      throw new ProofError(`The proof is of another picture than ${picture}.`);
    if (ca !== undefined) await checkStamp(proved.stamp, ca);
    ui.result(described(proved, version, { known: known !== undefined, ca }));
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    const { message } = error;
    ui.result({ document: { ok: false, reason: message }, text: `Proves nothing: ${message}` });
    throw new SilentExit(ExitCode.different);
  }
}

/** @throws ProofError unless the proof has a time stamp that these certificates verify. */
async function checkStamp(stamp: Proved['stamp'], ca: string): Promise<void> {
  const { verifyStamp } = await import('../../feed/custody/openssl.js');
  await readText(ca, maxCaBytes);
  if (!stamp) throw new ProofError('The proof has no time stamp.');
  await verifyStamp({ data: stamp.note, token: stamp.token }, resolve(ca)).catch(
    (error: unknown) => {
      throw new ProofError(`The time stamp is not to be trusted: ${(error as Error).message}.`);
    },
  );
}

function described(
  { imageId, entries, checkpoint, key, stamp }: Proved,
  version: number,
  by: { readonly known: boolean; readonly ca: string | undefined },
) {
  const newest = Number(entries.at(-1)?.state.get('content')?.split(' ')[0]);
  const document = {
    ok: true,
    image_id: imageId,
    version,
    is_current: version === newest,
    entries: entries.map(({ state, ...entry }) => ({ ...entry, state: Object.fromEntries(state) })),
    log: { origin: checkpoint.origin, size: checkpoint.size, key },
    time_stamp: stamp ? { at: stamp.at, verified: by.ca !== undefined } : null,
  };
  const which = version === newest ? 'the current one' : `an earlier one, of ${newest + 1}`;
  const text = [
    `The picture is version ${version} of image ${imageId}: ${which}.`,
    ...entries.flatMap(entryText),
    `All of it is in the log ${checkpoint.origin} of ${counted(checkpoint.size, 'entry', 'entries')}.`,
    ...(stamp ? [stampText(stamp.at, by.ca)] : []),
    by.known
      ? 'That is the log of your checkpoint.'
      : `That is signed with the key ${key}. Whether it is that of the installation, the proof cannot tell: compare it with one that you have from there, or give a checkpoint with --checkpoint.`,
  ];
  return { document, text: text.join('\n') };
}

const stampText = (at: string, ca: string | undefined): string =>
  ca === undefined
    ? `A time stamp says that it was there at ${at}. Who has made that stamp was not checked: give the certificates of the service with --ca.`
    : `It was there at ${at}, says the service whose certificates ${ca} has.`;

function entryText(
  { at, kinds, state, address, skipped }: Proved['entries'][number],
  place: number,
  all: Proved['entries'],
): string[] {
  const before = skipped === 0 ? all[place - 1]?.state : undefined;
  const lines = [...state].filter(
    ([word, value]) => word !== 'image' && before?.get(word) !== value,
  );
  return [
    ...(skipped > 0 ? [`  … ${counted(skipped, 'entry', 'entries')} left out`] : []),
    `  ${at} ${kinds}`,
    ...lines.map(([word, value]) => `    ${word} ${value}`),
    ...(address === undefined ? [] : [`    ${address}`]),
  ];
}
