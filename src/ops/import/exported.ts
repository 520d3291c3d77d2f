import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { wrongUsage } from '../../base/errors/operator.js';
import { exportFiles, exportFormat } from '../export/format.js';

const manifest = z.object({
  format: z.literal(exportFormat),
  id: z.uuid(),
  timezone: z.string(),
  images: z.int(),
});
export type ReadManifest = z.output<typeof manifest>;

const text = z.string();
const maybe = text.nullable();

const folder = z.object({
  id: z.uuid(),
  parent_id: maybe,
  title: text,
  delete_at: maybe,
});
export type FolderLine = z.output<typeof folder>;

/** An export may be somebody else's: its records name no files outside of it. */
const path = text.regex(
  /^(?!.*(?:^|\/)\.\.?(?:\/|$))[^/\p{Cc}][^\p{Cc}]*$/u,
  'is not the path of a file in the export',
);

/** Earlier exports lack it. */
const name = maybe.default(null);

const version = z.object({
  version: z.int(),
  file: path,
  hash: text,
  bytes: z.int(),
  original_name: name,
});
export type VersionFile = z.output<typeof version>;

const image = z.object({
  id: z.uuid(),
  folder_id: maybe,
  lat: z.number().nullable(),
  lng: z.number().nullable(),
  address_road: maybe,
  address_land: maybe,
  address_land_number: maybe,
  building_name: maybe,
  address_sort: maybe,
  address_det: maybe,
  created_at: text,
  delete_at: maybe,
  is_signed: z.boolean(),
  is_shared: z.boolean(),
  has_det: z.boolean().nullable(),
  upload_type: text,
  original_name: name,
  // Left out where the file has yet to be read for it: the import reads it.
  direction: z.number().nullish(),
  altitude_m: z.number().nullish(),
  accuracy_m: z.number().nullish(),
  camera: maybe.optional(),
  memos: z.array(z.object({ id: z.uuid(), message: text, is_client: z.boolean() })).nullable(),
  customs: z.array(z.object({ id: z.uuid(), key: text, value: text })).nullable(),
  versions: z.array(version).min(1),
});
export type ImageLine = z.output<typeof image>;

/**
 * The manifest of an export; undefined if the directory is none.
 * @throws OperatorError (2) for an export that is not complete, or of another format.
 */
export async function readExportManifest(dir: string): Promise<ReadManifest | undefined> {
  const path = join(dir, exportFiles.manifest);
  const found = await readFile(path, 'utf8').catch(() => undefined);
  if (found === undefined) {
    const begun = await stat(join(dir, exportFiles.images)).catch(() => undefined);
    if (!begun) return undefined;
    throw wrongUsage(`${dir} is an export that is not complete: it has no export.json.`, {
      setting: 'DIR',
      remedy: 'Run the export again; it resumes where it stopped.',
    });
  }
  const { data, error } = manifest.safeParse(jsonOf(found));
  if (data) return data;
  throw wrongUsage(`${path} is not the manifest of an export that this version can read.`, {
    setting: 'DIR',
    cause: error,
  });
}

export const foldersOf = (dir: string) => linesOf(join(dir, exportFiles.folders), folder);
export const imagesOf = (dir: string) => linesOf(join(dir, exportFiles.images), image);

async function* linesOf<T extends z.ZodType>(path: string, schema: T): AsyncGenerator<z.output<T>> {
  let number = 0;
  for await (const line of createInterface({
    input: createReadStream(path),
    crlfDelay: Infinity,
  })) {
    number += 1;
    const { data, error } = schema.safeParse(jsonOf(line));
    if (error) {
      const [issue] = error.issues;
      const where = `${path}, line ${number}: ${issue?.path.join('.')} ${issue?.message}`;
      throw wrongUsage(where, { setting: 'DIR', cause: error });
    }
    yield data;
  }
}

/** The value of a JSON text; undefined if it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
