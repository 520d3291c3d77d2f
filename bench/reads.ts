import type { BenchService, BenchUser } from './harness/bench-service.js';

type Query = Record<string, string | number>;

/** A read of the API: its name, the path it is below, and the rest of the URL. */
export type Read = readonly [what: string, of: 'user' | 'platform', path: string, query: Query];

const seoul = { latitude: 37.56, longitude: 126.98 };
const someDays = { start_date: '20250301', end_date: '20250303' };
const range = { days_or_date_range: 'date_range', start_date: '20250101', end_date: '20250331' };
const taken = { sort_by: 'taken_at' };
const active = { has_delete_at: 'False' };
const trash = { has_delete_at: 'True' };
const byTaken = { search_date_by: 'taken_at', ...taken };
const below = { folder_id: '{folder}', with_subfolders: 'True' };
const near = { use_radius: 'True', ...seoul };
const month = {
  bbox: '126.9,37.5,127.0,37.6',
  zoom: 12,
  from_date: '20250301',
  to_date: '20250331',
};

/**
 * Every read whose cost may grow with a user's images. `{folder}` stands for one of their folders, `{half}`
 * for half the number of their images.
 */
export const reads: readonly Read[] = [
  ['list, first page', 'user', '/images', {}],
  ['list, active', 'user', '/images', active],
  ['list, trash', 'user', '/images', trash],
  ['list, deep page', 'user', '/images', { last_index: '{half}' }],
  ['list, by when taken', 'user', '/images', taken],
  ['list, by when taken, active', 'user', '/images', { ...taken, ...active }],
  ['list, by when taken, trash', 'user', '/images', { ...taken, ...trash }],
  ['list, by when taken, deep page', 'user', '/images', { ...taken, last_index: '{half}' }],
  ['list, by when taken, one state of has_det', 'user', '/images', { ...taken, has_det: 'None' }],
  ['list, one state of has_det', 'user', '/images', { has_det: 'None' }],
  [
    'list, with everything',
    'user',
    '/images',
    { with_memo: 'True', with_custom: 'True', with_history: 'True' },
  ],
  ['list, without a location', 'user', '/images', { located: 'False' }],
  ['list, a camera', 'user', '/images', { camera: 'Camera 1' }],
  ['list, a rare camera', 'user', '/images', { camera: 'Leica M11' }],
  ['list, a custom key', 'user', '/images', { custom_key: '관리 번호' }],
  ['list, a custom', 'user', '/images', { custom_key: '관리 번호', custom_value: 'A-77' }],
  ['list, a folder', 'user', '/images', { folder_id: '{folder}' }],
  ['list, a folder and below', 'user', '/images', below],
  ['search, a folder and below', 'user', '/images', { ...below, search: '77' }],
  ['choices', 'user', '/images/choices', {}],
  ['addresses', 'user', '/images/addresses', { search: '세종대로 123' }],
  ['addresses, most of them', 'user', '/images/addresses', { search: '세종대로' }],
  ['list, a day', 'user', '/images', { date: '20250131' }],
  ['list, a range of days', 'user', '/images', range],
  ['list, some days', 'user', '/images', { ...range, ...someDays }],
  ['list, some days when taken', 'user', '/images', { ...range, ...someDays, ...byTaken }],
  ['list, a day when taken', 'user', '/images', { date: '20250131', ...byTaken }],
  ['list, a range of days when taken', 'user', '/images', { ...range, ...byTaken }],
  [
    'list, a range of updates by when taken',
    'user',
    '/images',
    { ...range, search_date_by: 'updated_at', ...taken },
  ],
  ['list, a range of updates', 'user', '/images', { ...range, search_date_by: 'updated_at' }],
  ['list, the last days', 'user', '/images', { days_or_date_range: 'days_range', days_range: 30 }],
  ['days', 'user', '/images', { view_type: 'grid_sep' }],
  ['days when taken', 'user', '/images', { view_type: 'grid_sep', ...taken }],
  ['search, addresses', 'user', '/images', { search_type: 'address', search: '세종대로 123' }],
  ['search, buildings', 'user', '/images', { search_type: 'building_name', search: '건물 77' }],
  ['search, filenames', 'user', '/images', { search_type: 'filename', search: 'abcdef' }],
  [
    'search, original names',
    'user',
    '/images',
    { search_type: 'filename', search: 'IMG_0077.JPG' },
  ],
  [
    'search, by when taken',
    'user',
    '/images',
    { search_type: 'filename', search: 'abcdef', ...taken },
  ],
  ['search, two letters', 'user', '/images', { search_type: 'address', search: '서울' }],
  ['search, memos', 'user', '/images', { search_type: 'memo', search: '확인할 곳 77' }],
  ['search, customs', 'user', '/images', { search_type: 'custom', search: 'A-77' }],
  ['search, folders', 'user', '/images', { search_type: 'folder', search: '현장 77' }],
  ['search, all', 'user', '/images', { search: '77' }],
  ['map', 'user', '/images', { view_type: 'map', ...seoul }],
  ['map, within a radius', 'user', '/images', { view_type: 'map', ...seoul, radius: 500 }],
  ['list, within a radius', 'user', '/images', { ...seoul, radius: 500 }],
  ['list, within a wide radius', 'user', '/images', { ...seoul, radius: 5000 }],
  ['tile of the world', 'user', '/map/0/0/0.mvt', {}],
  ['tile of a city, a search', 'user', '/map/10/873/396.mvt', { search: '77' }],
  ['tile of a city', 'user', '/map/10/873/396.mvt', {}],
  ['tile of a city, one state of has_det', 'user', '/map/10/873/396.mvt', { has_det: 'True' }],
  ['group, radius', 'user', '/images/group', near],
  ['group, wide radius', 'user', '/images/group', { ...near, radius: 5000 }],
  ['group, a quarter of the images', 'user', '/images/group', { ...near, radius: 8700 }],
  ['group, radius, one direction', 'user', '/images/group', { ...near, direction: 90 }],
  [
    'group, wide radius, one direction',
    'user',
    '/images/group',
    { ...near, radius: 5000, direction: 90 },
  ],
  ['group, one location', 'user', '/images/group', seoul],
  ['group, all locations', 'user', '/images/group', {}],
  ['group, all locations by page', 'user', '/images/group/paged', { page: 3 }],
  ['count', 'user', '/images/count', {}],
  ['tree', 'user', '/folders', {}],
  ['tree, active', 'user', '/folders', active],
  ['top level', 'user', '/folders/root', {}],
  ['a folder', 'user', '/folders/{folder}', {}],
  ['a folder, by name', 'user', '/folders/{folder}', { sort_by: 'name', ...active }],
  ['a folder, by when taken', 'user', '/folders/{folder}', taken],
  ['top level, by when taken', 'user', '/folders/root', taken],
  [
    'clusters of some days when taken',
    'user',
    '/map/clusters',
    { ...month, from_date: '20250301', to_date: '20250303', date_by: 'taken_at' },
  ],
  ['clusters of a month', 'user', '/map/clusters', month],
  ['clusters of a month when taken', 'user', '/map/clusters', { ...month, date_by: 'taken_at' }],
  [
    'a folder, by update',
    'user',
    '/folders/{folder}',
    { sort_by: 'updated_at', sort_order: 'desc' },
  ],
  ['changes', 'user', '/changes', { after: 5_000 }],
  ['changes of all users', 'platform', '/changes', {}],
  ['user info', 'user', '/info', {}],
  ['platform info', 'platform', '/info', {}],
  ['platform images', 'platform', '/images', { page: 2 }],
  ['images of a user, as its platform', 'platform', '/users/{user}/images', { page: 2 }],
  ['statistics by day', 'platform', '/stats', { start_date: '20250101', end_date: '20251231' }],
  ['statistics in total', 'platform', '/stats/total', {}],
];

/** The request of a read, for a user or their platform. */
export async function requestOf(
  [, of, path, query]: Read,
  service: BenchService,
  user: BenchUser,
): Promise<{ url: string; headers: { Authorization: string } }> {
  const named = `${path} ${Object.values(query).join(' ')}`;
  const folder = named.includes('{folder}') ? await service.largestFolder(user) : '';
  const below = path.replace('{folder}', folder).replace('{user}', user.id);
  const version = below.startsWith('/stats') ? 'v2' : 'v1';
  const owner = of === 'user' ? `users/${user.id}` : `platforms/${user.platformId}`;
  const url = new URL(`${service.url}/api/${version}/${owner}${below}`);
  for (const [key, value] of Object.entries(query)) {
    const text = String(value)
      .replace('{half}', String(Math.floor(user.images / 2)))
      .replace('{folder}', folder);
    url.searchParams.set(key, text);
  }
  const headers = of === 'user' ? user.headers : await service.asPlatform(user.platformId);
  return { url: url.href, headers };
}
