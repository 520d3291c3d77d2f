import { z } from 'zod';
import { timestamp } from '../../http/record-fields.js';
import { clearable, integer, text, textList } from '../../http/request-fields.js';
import { linkKinds } from './entity.js';

/** Pictures on a page, and asked about at once. */
const most = 200;

export const picturesQuery = z.object({
  cursor: text(1, 300).optional().meta({ description: '`next` of the previous page' }),
  limit: integer(1, most).default(60),
});

/** What a visitor may say of a file beside its name. */
export const senderFields = z.object({
  sender: clearable(text(1, 100))
    .optional()
    .meta({ description: 'who sends it; stored as the custom `sender`' }),
});

export const archiveQuery = z.object({
  address: text(1, 300).meta({ description: 'from the `url` of `createLinkArchive`' }),
});

export const passwordFields = z.object({ password: text(1, 255) });

const fewIds = { error: `a list of up to ${most} ids` };

export const arrivedQuery = z.object({
  ids: textList(fewIds, { pattern: '^[0-9a-f]{32}$', example: '0'.repeat(32) }).refine(
    (ids) => ids.length <= most,
    fewIds,
  ),
});

const name = z.string().nullable();

export const visitedLink = z
  .object({
    needs_password: z
      .boolean()
      .meta({ description: 'true: nothing else is told before the password has been entered' }),
    link: z
      .object({
        kind: z.enum(linkKinds),
        title: name,
        message: name,
        allow_download: z.boolean(),
        show_place: z.boolean(),
      })
      .nullable(),
  })
  .meta({ id: 'VisitedLink' });
export type VisitedLinkRecord = z.output<typeof visitedLink>;

const address = z
  .string()
  .meta({ description: 'relative to /s/{secret}/; valid for at most five minutes' });
const degrees = z.number().nullable();

const picture = z
  .object({
    id: z.string().meta({ description: 'for this link alone' }),
    created_at: timestamp,
    taken_at: timestamp.nullable(),
    width: z.int(),
    height: z.int(),
    thumbhash: z.string().meta({ description: 'placeholder, in base64' }),
    thumb_url: address,
    display_url: address,
    download_url: address.optional(),
    place: z
      .object({
        latitude: degrees,
        longitude: degrees,
        address_road: name,
        address_land: name,
        address_land_number: name,
        building_name: name,
      })
      .optional(),
  })
  .meta({ id: 'LinkPicture' });
export type VisitorPicture = z.output<typeof picture>;

export const picturePage = z
  .object({
    images: z.array(picture),
    next: z.string().nullable().meta({ description: '`cursor` of the next page, if any' }),
  })
  .meta({ id: 'LinkPictures' });
export type PicturePage = z.output<typeof picturePage>;

export const arrivedPicture = z.object({
  id: z.string().meta({ description: 'for this link alone' }),
});

export const arrivedPictures = z.object({ arrived: z.array(z.string()) });
