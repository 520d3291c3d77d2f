/** Groups of operations, in the order of the page, by the word of their paths. */
const tags: Record<string, { readonly name: string; readonly description: string }> = {
  platforms: {
    name: 'Platforms',
    description: 'applications whose users store images; administrators make them',
  },
  users: { name: 'Users', description: 'of platforms; each owns folders and images' },
  folders: { name: 'Folders', description: 'trees of folders, with a trash' },
  images: { name: 'Images', description: 'upload, lists, search, places, trash' },
  filedata: { name: 'Filedata', description: 'edited versions of images' },
  memos: { name: 'Memos', description: 'notes on images' },
  customs: { name: 'Customs', description: 'keys and values on images' },
  stats: { name: 'Statistics', description: 'of platforms, by day and in total' },
  auth: { name: 'Tokens', description: 'new ones for old' },
};

export const tagList = Object.values(tags);

/** The tag of the last fixed word of a path that names a resource. */
export function tagOf(path: string): string {
  const words = path.split('/').filter((word) => tags[word] !== undefined);
  return tags[words.at(-1) ?? '']?.name ?? 'other';
}
