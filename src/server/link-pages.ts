import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname } from 'node:path';
import { guestsOf } from '../base/callers.js';
import { ServiceError } from '../base/errors/catalogue.js';
import type { PathHandler } from '../http/app.js';
import { assertMethod, type FileParts, findObject, sendFile } from '../http/files.js';
import { pathOf } from '../http/host.js';
import { attachment } from '../http/ranged-response.js';
import { withExtension } from '../library/images/original-name.js';
import { namedAs } from '../store/object-key.js';
import type { LinkPictures } from '../library/links/pictures.js';
import type { VisitCounter } from '../library/links/visit-counter.js';
import type { Visitors } from '../library/links/visitors.js';
import { type BuiltPages, headersOf, sendBuilt, sendContent } from './built-pages.js';

interface LinkPageParts {
  readonly pages: BuiltPages;
  /** The Content-Security-Policy of the page. */
  readonly policy: string;
  readonly visitors: Visitors;
  readonly pictures: LinkPictures;
  readonly counter: VisitCounter;
  readonly files: Pick<FileParts, 'store' | 'shares' | 'accel' | 'full'>;
}

/** `/s/SECRET`, also with a slash; `/s/SECRET/f/ADDRESS`; `/s/assets/NAME`, `/s/settings.json`. */
const shape = /^\/s\/(?:(assets\/[^/]+|settings\.json)|([^/]+)(\/|\/f\/([\w-]+)\/?)?)$/i;

/** Search engines must not find what a link opens. */
const unlisted = { 'X-Robots-Tag': 'noindex' } as const;

/**
 * Serves the pages of links, and the files on them. What a page is about it asks the operations of
 * visitors.
 */
export function linkPageHandler(parts: LinkPageParts): PathHandler {
  return {
    serves: (target) => shape.test(pathOf(target)),
    handle: async (request, response) => {
      assertMethod(request, response);
      const [, asset, secret = '', rest, address] = shape.exec(pathOf(request.url)) ?? [];
      if (asset !== undefined) return sendAsset(parts, asset, request, response);
      if (address !== undefined) return sendPicture(parts, secret, address, request, response);
      if (rest === undefined) return sendPage(parts, secret, request, response);
      // The page finds its files relative to its path without a slash.
      response.writeHead(308, { Location: `../${secret}`, 'Content-Length': '0' }).end();
    },
  };
}

async function sendAsset(
  { pages, policy }: LinkPageParts,
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const file = (await pages.files()).get(name);
  if (!file) throw new ServiceError('not_found');
  sendBuilt(file, policy, request, response);
}

/** Programs that ask for JSON get errors in the envelope; people get a page that explains them. */
const wantsJson = ({ headers: { accept = '' } }: IncomingMessage): boolean =>
  accept.includes('application/json') && !accept.includes('text/html');

async function sendPage(
  { pages, policy, visitors, counter }: LinkPageParts,
  secret: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const file = (await pages.files()).get('link.html');
  if (!file) throw new ServiceError('not_found');
  let status = 200;
  try {
    const { link } = await visitors.enter(request, secret);
    if (request.method === 'GET') await counter.note(link.id);
  } catch (error) {
    const isTold = error instanceof ServiceError && [404, 410].includes(error.status);
    if (!isTold || wantsJson(request)) throw error;
    ({ status } = error);
  }
  // Never from a cache: each time that it is opened is a visit, and the link may have ended.
  const headers = { ...headersOf(file, policy), ...unlisted, 'Cache-Control': 'no-store' };
  sendContent(file, { status, headers }, request, response);
}

async function sendPicture(
  { visitors, pictures, files }: LinkPageParts,
  secret: string,
  address: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { link, isAdmitted } = await visitors.enter(request, secret);
  if (!isAdmitted) throw new ServiceError('password_required');
  const { key: wanted, secondsLeft, name } = pictures.file(link, address);
  const caller = guestsOf(link.userId);
  const key = await findObject(files.full, wanted, response, caller);
  if (key === undefined) return;
  // Of which format a picture is that has been made shows only now.
  const extension = extname(key).slice(1);
  const savedAs =
    name && namedAs(key === wanted ? name : withExtension(name, extension), extension);
  await sendFile(files, {
    request,
    response,
    id: String(response.getHeader('X-Request-Id')),
    key,
    secondsLeft,
    // The key has the id of the user.
    etag: createHash('sha256').update(key).digest('base64url'),
    caller,
    headers: [
      ...Object.entries(unlisted).flat(),
      ...(savedAs === undefined ? [] : ['Content-Disposition', attachment(savedAs)]),
    ],
  });
}
