import { downloadZip } from 'client-zip';
import { Problem } from '../../core/problem';
import { unanswered } from '../../core/reach';
import type { Access } from './access';
import { uploadName } from './download-name';
import { EntryNames, safeName } from './entry-names';
import type { Image, Item } from './listing';
import { listingOf, maxPageSize } from './listing';
import { allImages } from './view';

interface Entry {
  readonly name: string;
  readonly input: Response;
}

/** Makes the browser save the originals of images and of folders' contents as a ZIP. */
export async function saveArchive(access: Access, items: readonly Item[]): Promise<void> {
  const names = new EntryNames();
  async function* entries(): AsyncGenerator<Entry> {
    for await (const { image, folder } of imagesIn(access, items, '')) {
      const { name, input } = await original(access, image);
      yield { name: names.give(folder + safeName(name)), input };
    }
  }
  const blob = await downloadZip(entries()).blob();
  save(URL.createObjectURL(blob), `imgstore-${new Date().toISOString().slice(0, 10)}.zip`);
}

interface Placed {
  readonly image: Image;
  readonly folder: string;
}

async function* imagesIn(
  access: Access,
  items: readonly Item[],
  folder: string,
): AsyncGenerator<Placed> {
  for (const item of items) {
    if (item.is_folder)
      yield* imagesOf(access, item.data.id, `${folder}${safeName(item.data.title)}/`);
    else yield { image: item.data, folder };
  }
}

async function* imagesOf(access: Access, id: string, folder: string): AsyncGenerator<Placed> {
  const listing = listingOf(access, { ...allImages, folder: id });
  for (let start = 0, total = 1; start < total; start += maxPageSize) {
    const slice = await listing.read(start, maxPageSize);
    total = slice.total;
    if (start === 0) {
      for (const { id: below, title } of slice.folders ?? []) {
        yield* imagesOf(access, below, `${folder}${title}/`);
      }
    }
    for (const { data: image } of slice.items) yield { image, folder };
  }
}

/** With a new record: URLs of an older one may have expired. */
async function original(access: Access, { id }: Image): Promise<Entry> {
  const image = await access.call((client) =>
    client.GET('/api/v1/users/{user_id}/images/{image_id}', {
      params: { path: { user_id: access.userId, image_id: id } },
    }),
  );
  const { org_path_url: url } = image;
  const input = await fetch(url).catch(() => {
    throw unanswered();
  });
  if (!input.ok) throw new Problem('not_downloaded', `HTTP ${input.status}`, input.status);
  return { name: uploadName(image), input };
}

function save(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // By then, the browser has opened the file.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
