/** Fields that a search can be limited to. */
export const searchTypes = [
  'all',
  'address',
  'building_name',
  'filename',
  'memo',
  'custom',
  'folder',
] as const;
export type SearchType = (typeof searchTypes)[number];

/** Whether a detailed address was entered; empty: any. */
export const detailed = ['', 'True', 'False', 'None'] as const;
export type Detailed = (typeof detailed)[number];

/** Whether an image has a place; empty: any. */
export const placed = ['', 'True', 'False'] as const;
export type Placed = (typeof placed)[number];

/** The times that a list may be in order of, newest first: of pictures, or of uploads. */
export const sorts = ['taken_at', 'created_at'] as const;
export type Sort = (typeof sorts)[number];

/** The part of a library that is shown: a folder, the trash, or all images, narrowed by filters. */
export interface View {
  /** `root` is the top level. */
  readonly folder?: string | undefined;
  /** Whether what is in folders below it is shown, too. */
  readonly below: boolean;
  readonly trash: boolean;
  readonly search: string;
  readonly searchIn: SearchType;
  readonly detailed: Detailed;
  readonly placed: Placed;
  /** Empty, as the following: any. */
  readonly camera: string;
  /** The id of an upload set. */
  readonly set: string;
  readonly customKey: string;
  /** Only with a key. */
  readonly customValue: string;
  /** `YYYY-MM-DD`, inclusive, of the time that the list is in order of; empty: no limit. */
  readonly from: string;
  readonly to: string;
  /** Latitude, longitude, and a radius in meters, as `37.56667,126.97806,500`. */
  readonly circle: string;
  readonly sort: Sort;
}

export const allImages: View = {
  below: false,
  trash: false,
  search: '',
  searchIn: 'all',
  detailed: '',
  placed: '',
  camera: '',
  set: '',
  customKey: '',
  customValue: '',
  from: '',
  to: '',
  circle: '',
  sort: 'taken_at',
};

const oneOf = <T extends string>(words: readonly T[], word: string | null, other: T): T =>
  words.find((each) => each === word) ?? other;

const dayPattern = /^\d{4}-\d\d-\d\d$/;
const dayIn = (word: string | null): string => (word && dayPattern.test(word) ? word : '');

/** A circle that is one: not one of a cut link. */
function circleIn(word: string | null): string {
  const [latitude = 91, longitude = 181, radius = 0, ...more] = (word ?? '').split(',').map(Number);
  const fits = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && radius >= 1;
  return word && fits && radius <= 2e7 && more.length === 0 ? word : '';
}

/** The view that the query of a URL names. */
export function viewOf(query: string): View {
  const words = new URLSearchParams(query);
  return {
    folder: words.get('folder') ?? undefined,
    below: words.has('folder') && words.has('below'),
    trash: words.has('trash'),
    search: words.get('q') ?? '',
    searchIn: oneOf(searchTypes, words.get('in'), 'all'),
    detailed: oneOf(detailed, words.get('detailed'), ''),
    placed: oneOf(placed, words.get('placed'), ''),
    camera: words.get('camera') ?? '',
    set: words.get('set') ?? '',
    customKey: words.get('key') ?? '',
    customValue: (words.get('key') && words.get('value')) ?? '',
    from: dayIn(words.get('from')),
    to: dayIn(words.get('to')),
    circle: circleIn(words.get('circle')),
    sort: words.get('sort') === 'uploaded' ? 'created_at' : 'taken_at',
  };
}

/** The query that names a view, such as `?folder=root`; empty for all images. */
export function queryOf(view: View): string {
  const words = new URLSearchParams();
  if (view.folder !== undefined) words.set('folder', view.folder);
  if (view.folder !== undefined && view.below) words.set('below', '1');
  if (view.trash) words.set('trash', '1');
  if (view.search) words.set('q', view.search);
  if (view.search && view.searchIn !== 'all') words.set('in', view.searchIn);
  if (view.detailed) words.set('detailed', view.detailed);
  if (view.placed) words.set('placed', view.placed);
  if (view.camera) words.set('camera', view.camera);
  if (view.set) words.set('set', view.set);
  if (view.customKey) words.set('key', view.customKey);
  if (view.customKey && view.customValue) words.set('value', view.customValue);
  if (view.from) words.set('from', view.from);
  if (view.to) words.set('to', view.to);
  if (view.sort === 'created_at') words.set('sort', 'uploaded');
  if (view.circle) words.set('circle', view.circle);
  return words.size > 0 ? `?${words.toString().replaceAll('%2C', ',')}` : '';
}

/** How many filters narrow a view, in addition to the search. */
export const filtersIn = ({
  detailed: det,
  placed: place,
  camera,
  set,
  customKey,
  from,
  to,
  circle,
}: View) => [det, place, camera, set, customKey, from, to, circle].filter(Boolean).length;

/** Whether a folder is listed as it is, with the folders in it before its images. */
export const isPlainFolder = (view: View): boolean =>
  view.folder !== undefined && !view.below && view.search === '' && filtersIn(view) === 0;
