import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core';
import type { DataSource } from 'typeorm';
import { forEachLimited } from '../../src/base/concurrency.js';
import { jpeg } from '../../testkit/pictures.js';
import type { Scope } from '../../testkit/scope.js';
import type { Member, Tenant } from '../../testkit/world.js';

/** A server, and a browser that opens its console. */
export interface Desk {
  readonly scope: Scope;
  readonly db: DataSource;
  readonly browser: Browser;
  readonly tenant: Tenant;
  /** Of the console. */
  readonly url: string;
}

/** A table, and what is wrong with it. */
export interface Section {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly findings: readonly string[];
}

/** A window of a desk, in which what moves, moves. */
const browser: BrowserContextOptions = {
  deviceScaleFactor: 1,
  reducedMotion: 'no-preference',
  permissions: ['clipboard-read', 'clipboard-write'],
};
export const ownWindow = { own: true, browser } as const;

/** Failed loads are no errors of a page: Chromium says so of thumbnails that do not exist. */
export const problemsIn = (problems: readonly string[]): string[] =>
  [...new Set(problems.filter((text) => !text.includes('404')))].map((text) => `a page: ${text}`);

type Kind = 'api' | 'pictures' | 'frame';

function kindOf(request: Request): Kind {
  const { pathname } = new URL(request.url());
  if (request.resourceType() === 'image' || pathname.includes('/files/')) return 'pictures';
  return pathname.includes('/api/') ? 'api' : 'frame';
}

/** What a page asks for. */
export class Traffic {
  /** Requests of the API, each by what is asked for. */
  readonly asked = new Map<string, number>();
  readonly bytes: Record<Kind, number> = { api: 0, pictures: 0, frame: 0 };
  requests = 0;

  constructor(page: Page) {
    page.on('request', (request) => {
      if (kindOf(request) !== 'api') return;
      const { pathname, searchParams } = new URL(request.url());
      const path = pathname.replace(/^\/api\/v\d\/users\/[^/]+/, '').replace(/[\da-f-]{36}/g, '…');
      const isHead = searchParams.get('page_size') === '1';
      const what = `${request.method()} ${path}${isHead ? '?page_size=1' : ''}`;
      this.requests += 1;
      this.asked.set(what, (this.asked.get(what) ?? 0) + 1);
    });
    page.on('requestfinished', (request) => {
      void request.sizes().then(
        ({ responseBodySize: body, responseHeadersSize: head }) =>
          (this.bytes[kindOf(request)] += body + head),
        () => undefined, // the page has gone
      );
    });
  }
}

/** `YYYY-MM-DD` of the nth of the days on which the pictures were taken. */
export const dayOf = (n: number): string => `2025-11-0${n + 1}`;

/** Uploads 50 pictures into each folder, 25 of a day; those in the second folder are of the same spots as in the first. */
export async function stock({ db }: Desk, user: Member): Promise<void> {
  const made = [await user.folder('Site A'), await user.folder('Site B')];
  await forEachLimited(Array(100).keys(), 4, async (n) => {
    const place = {
      latitude: 37.5 + 0.002 * (n % 10),
      longitude: 127 + 0.003 * Math.floor((n % 50) / 10),
    };
    const bytes = await jpeg({ width: 1_600, height: 1_200, seed: n, place });
    const folder_id = made[Math.floor(n / 50)]?.id ?? '';
    const { id } = await user.upload({ folder_id, address_road: `Harbour Road ${n % 50}` }, bytes);
    const at = `${dayOf(Math.floor(n / 25))}T09:${10 + (n % 25)}:00Z`;
    await db.query('UPDATE images SET taken_at = $2 WHERE id = $1', [id, at]);
  });
}
