const statistics = { name: 'Statistics', description: 'usage of platforms, per day and in total' };
const changes = { name: 'Changes', description: 'what has changed, as it happens' };

/** Groups of operations, in page order, by the resource word of their paths. */
const tags: Record<string, { readonly name: string; readonly description: string }> = {
  platforms: {
    name: 'Platforms',
    description: 'applications whose users store images; created by administrators',
  },
  users: { name: 'Users', description: 'users of platforms; each owns folders and images' },
  folders: { name: 'Folders', description: 'folder trees, with a trash' },
  images: { name: 'Images', description: 'upload, lists, search, locations, trash' },
  map: { name: 'Map', description: 'vector tiles, clusters' },
  filedata: { name: 'Filedata', description: 'edited versions of images' },
  'upload-sets': {
    name: 'Upload sets',
    description: 'files that belong together, until all are safe',
  },
  memos: { name: 'Memos', description: 'notes on images' },
  customs: { name: 'Customs', description: 'key/value pairs on images' },
  changes,
  snapshot: changes,
  webhooks: { name: 'Webhooks', description: 'changes sent to platforms as they happen' },
  stats: statistics,
  statistics,
  auth: { name: 'Tokens', description: 'token refresh, and signing in to the console' },
  status: { name: 'Installation', description: 'its health, contents, and upkeep' },
};

export const tagList = [...new Set(Object.values(tags))];

/** The tag for the last fixed path segment that names a resource. */
export function tagOf(path: string): string {
  const words = path.split('/').filter((word) => tags[word] !== undefined);
  return tags[words.at(-1) ?? '']?.name ?? 'other';
}
