import { guestsOf } from '../../base/callers.js';
import { forEachLimited, withDeadline } from '../../base/concurrency.js';
import { ServiceError } from '../../base/errors/catalogue.js';
import type { WallClock } from '../../base/time.js';
import { secondMs } from '../../base/units.js';
import { namesOf } from '../../database/columns.js';
import type { Queryable } from '../../database/sql.js';
import type { ResolveUrl } from '../../http/operation.js';
import type { StreamedResponse } from '../../http/streamed-response.js';
import { objectKey } from '../../store/object-key.js';
import { addressColumns } from '../images/entity.js';
import type { Archive } from '../images/archive/routes.js';
import {
  type ArchiveContents,
  type ArchivedFile,
  type ArchivedImage,
  type Archives,
  maxArchived,
  versionOf,
} from '../images/archive/archive.js';
import { wantedName } from '../images/archive/names.js';
import type { FullPictures } from '../images/full/full-pictures.js';
import { withExtension } from '../images/original-name.js';
import { addressSeconds, mayGetOriginals } from './pictures.js';
import type { VisitSecrets } from './visit-secrets.js';
import { selectShown, selectUnmade, type UnmadeRow, type VisitedLink } from './visitors.sql.js';

/** How long a request makes whole pictures that there are none of yet, in milliseconds, … */
const makingMs = 20 * secondMs;
/** … and how many of them at a time. */
const makingAtOnce = 2;

/** What the table tells, as pages of the link do. */
const times = ['created_at', 'taken_at'] as const;
const places = ['lat', 'lng', ...namesOf(addressColumns)] as const;

interface LinkArchiveParts {
  /** The primary server, so that what was made is known. */
  readonly db: Queryable;
  readonly archives: Archives;
  readonly secrets: VisitSecrets;
  readonly full: Pick<FullPictures, 'keyOf'>;
  readonly clock: WallClock;
}

/** A request for a ZIP. */
interface Visitor {
  readonly resolveUrl: ResolveUrl;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** ZIPs of all that a link shows, whose files are those of single downloads. */
export class LinkArchives {
  constructor(private readonly parts: LinkArchiveParts) {}

  /**
   * Its URL is for this link alone and needs no record: it says until when. @param page path of the link.
   * @throws ServiceError `too_many_images`; `unavailable` while whole pictures are being made.
   */
  async make(link: VisitedLink, page: string, { resolveUrl, signal }: Visitor): Promise<Archive> {
    const { archives, secrets, clock } = this.parts;
    await this.#makeWhole(link, signal);
    const size = await archives.measure((tx) => contentsOf(tx, link, resolveUrl));
    const end = Math.min(Date.now() + addressSeconds * secondMs, link.expiresAt.getTime());
    const address = secrets.seal('archive', link.id, String(end));
    const url = resolveUrl(`${page}/archive?address=${address}`);
    return { url, ...size, expires_at: clock.format(new Date(end)) };
  }

  /** @throws ServiceError `forbidden`; as `make` does. */
  async download(
    link: VisitedLink,
    address: string,
    { resolveUrl, signal }: Visitor,
  ): Promise<StreamedResponse> {
    const { archives, secrets } = this.parts;
    const end = secrets.open('archive', link.id, address);
    if (end === undefined) throw new ServiceError('forbidden', { message: 'The URL is invalid.' });
    if (Number(end) <= Date.now()) {
      throw new ServiceError('forbidden', { message: 'The URL has expired; ask for another one.' });
    }
    await this.#makeWhole(link, signal);
    return archives.of((tx) => contentsOf(tx, link, resolveUrl));
  }

  /**
   * Makes the whole pictures that the ZIP lacks, as far as there is time: they stay, so whoever asks again
   * goes on from there. One that cannot be decoded is in the table alone.
   */
  async #makeWhole(link: VisitedLink, signal: AbortSignal): Promise<void> {
    const { db, full } = this.parts;
    if (mayGetOriginals(link)) return;
    const ids = await selectShown(db, link, maxArchived + 1);
    if (ids.length > maxArchived) return; // refused anyway
    const { platformId, userId } = link;
    const make = async (version: UnmadeRow, until: AbortSignal): Promise<void> => {
      try {
        await full.keyOf({ platformId, userId, ...version }, until, guestsOf(userId));
      } catch (error) {
        if (!(error instanceof ServiceError) || error.status >= 500) throw error;
      }
    };
    try {
      const unmade = await selectUnmade(db, ids);
      await withDeadline(signal, makingMs, (until) =>
        forEachLimited(unmade, makingAtOnce, (version) => make(version, until)),
      );
    } catch (error) {
      if (signal.aborted || (error as Error).name !== 'TimeoutError') throw error;
      const message = 'The pictures are being made ready; ask again.';
      throw new ServiceError('unavailable', { message, retryAfter: 1, cause: error });
    }
  }
}

async function contentsOf(
  tx: Queryable,
  link: VisitedLink,
  resolveUrl: ResolveUrl,
): Promise<ArchiveContents> {
  const columns = link.showPlace ? [...times, ...places] : times;
  return {
    ids: await selectShown(tx, link, maxArchived + 1),
    ...(link.folderId !== null && { root: link.folderId }),
    records: { include: {}, resolveUrl, columns },
    ...(!mayGetOriginals(link) && { fileOf: wholeOf }),
  };
}

/** The whole picture of an image, under the name that a single download has. */
function wholeOf(image: ArchivedImage): ArchivedFile | undefined {
  const { fullExtension: extension } = image;
  if (extension === null) return undefined;
  const key = objectKey(versionOf(image), 'full', extension);
  return { key, name: withExtension(wantedName(image), extension) };
}
