import { NIL, validate as isUuid } from 'uuid';
import { z } from 'zod';
import { asText } from '../../http/request-fields.js';
import { parseFolderTarget } from '../../http/folder-target.js';

/** A folder of a filter: a blank one means the top level, none at all any folder. */
export const folderField = z
  .preprocess(asText, z.string({ error: 'a folder' }).meta({ format: 'uuid' }).transform(folderOf))
  .optional()
  .meta({ description: 'directly in this folder; a blank means the top level' });

/** What is no id is a folder that nobody has. */
function folderOf(text: string): string | null | undefined {
  const folder = parseFolderTarget(text);
  return typeof folder === 'string' && !isUuid(folder) ? NIL : folder;
}
