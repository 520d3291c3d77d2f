import { readZip } from '../testkit/zip.js';

/** The files of a ZIP archive by name. */
export const unzip = (archive: Buffer): Map<string, Buffer> =>
  new Map(readZip(archive).map(({ name, data }) => [name, data]));
