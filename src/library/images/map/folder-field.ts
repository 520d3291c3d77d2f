import { NIL, validate as isUuid } from 'uuid';
import { z } from 'zod';
import { asText, parseFolderTarget } from '../../../http/request-fields.js';

/** The folder of a filter: blank means the top level, absent means any folder. */
export const folderField = z
  .preprocess(asText, z.string({ error: 'a folder' }).meta({ format: 'uuid' }).transform(folderOf))
  .optional()
  .meta({ description: 'directly in this folder; a blank means the top level' });

/** A text that is not an id becomes the id of no folder. */
function folderOf(text: string): string | null | undefined {
  const folder = parseFolderTarget(text);
  return typeof folder === 'string' && !isUuid(folder) ? NIL : folder;
}
