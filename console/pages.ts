import type { IconName } from './components/Icon';
import type { PlainKey } from './core/i18n';
import { match } from './core/router';
import type { PageProps, Params } from './core/router';
import type { Scope } from './core/session';
import type { Load } from './core/use-module';

export interface Page {
  /** The path after `/console`; parts that begin with a colon match anything. */
  readonly path: string;
  readonly title: PlainKey;
  /** The scopes of tokens that may see it. */
  readonly scopes: readonly Scope[];
  /** Its label in the menu; pages without one are reached from other pages. */
  readonly icon?: IconName;
  /** Goes from one of its paths to another without being made anew. */
  readonly stays?: true;
  /** Loads its module when the page is first opened. */
  readonly load: Load<PageProps>;
}

/** Every page, in the order of the menu. The first one that a token may see is its start page. */
export const pages: readonly Page[] = [
  {
    path: '/overview',
    title: 'overview.title',
    scopes: ['admin'],
    icon: 'overview',
    load: () => import('./pages/overview/Overview'),
  },
  {
    path: '/platforms',
    title: 'platforms.title',
    scopes: ['admin'],
    icon: 'platforms',
    load: () => import('./pages/platforms/Platforms'),
  },
  {
    path: '/platforms/:platform',
    title: 'users.title',
    scopes: ['admin'],
    load: () => import('./pages/users/Users'),
  },
  {
    path: '/users',
    title: 'users.title',
    scopes: ['platform'],
    icon: 'users',
    load: () => import('./pages/users/Users'),
  },
  {
    path: '/platforms/:platform/users/:account',
    title: 'users.name',
    scopes: ['admin'],
    load: () => import('./pages/users/User'),
  },
  {
    path: '/users/:user',
    title: 'users.name',
    scopes: ['platform'],
    load: () => import('./pages/users/User'),
  },
  {
    path: '/library',
    title: 'library.title',
    scopes: ['user'],
    icon: 'library',
    load: () => import('./pages/library/Library'),
  },
  {
    path: '/library/images/:image',
    title: 'picture.title',
    scopes: ['user'],
    stays: true,
    load: () => import('./pages/picture/Picture'),
  },
  {
    path: '/users/:user/library',
    title: 'library.title',
    scopes: ['platform'],
    load: () => import('./pages/library/Library'),
  },
  {
    path: '/users/:user/library/images/:image',
    title: 'picture.title',
    scopes: ['platform'],
    stays: true,
    load: () => import('./pages/picture/Picture'),
  },
  {
    path: '/map',
    title: 'map.title',
    scopes: ['platform', 'user'],
    icon: 'map',
    load: () => import('./pages/map/Map'),
  },
  {
    path: '/links',
    title: 'links.heading',
    scopes: ['user'],
    icon: 'link',
    load: () => import('./pages/links/Links'),
  },
  {
    path: '/users/:user/links',
    title: 'links.heading',
    scopes: ['platform'],
    load: () => import('./pages/links/Links'),
  },
  {
    path: '/tokens',
    title: 'narrow.page',
    scopes: ['platform', 'user'],
    icon: 'key',
    load: () => import('./pages/tokens/NarrowTokens'),
  },
  {
    path: '/sessions',
    title: 'sessions.page',
    scopes: ['user'],
    load: () => import('./pages/sessions/Sessions'),
  },
  {
    path: '/holds',
    title: 'holds.title',
    scopes: ['platform'],
    icon: 'hold',
    load: () => import('./pages/holds/Holds'),
  },
  {
    path: '/platforms/:platform/holds',
    title: 'holds.title',
    scopes: ['admin'],
    load: () => import('./pages/holds/Holds'),
  },
  {
    path: '/statistics',
    title: 'statistics.title',
    scopes: ['admin', 'platform'],
    icon: 'statistics',
    load: () => import('./pages/statistics/Statistics'),
  },
  {
    path: '/webhooks',
    title: 'webhooks.title',
    scopes: ['platform'],
    icon: 'webhook',
    load: () => import('./pages/webhooks/Webhooks'),
  },
  {
    path: '/audit',
    title: 'audit.title',
    scopes: ['admin', 'platform'],
    icon: 'audit',
    load: () => import('./pages/audit/Audit'),
  },
];

export const pagesOf = (scope: Scope): Page[] =>
  pages.filter(({ scopes }) => scopes.includes(scope));

/** The page at a path. */
export function pageAt(path: string): { page: Page; params: Params } | undefined {
  for (const page of pages) {
    const params = match(page.path, path);
    if (params) return { page, params };
  }
  return undefined;
}
