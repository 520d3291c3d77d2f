import { z } from 'zod';
import type { WallClock } from '../../../base/time.js';
import { operation, type Operation } from '../../../http/operation.js';
import { timestamp } from '../../../http/record-fields.js';
import { integer, oneOf, text, wordList } from '../../../http/request-fields.js';
import type { ArchiveAddresses } from '../archive/addresses.js';
import { addressUrl, idsInPlace, makesAddress, opensAddress } from '../archive/routes.js';
import { filterIn, filterQuery } from '../list/schemas.js';
import type { ImageLists } from '../list/image-lists.js';
import { customKeyOf } from './captions.js';
import {
  captionFields,
  formats,
  languages,
  type LedgerForm,
  layouts,
  maxInLedger,
  wordsIn,
} from './form.js';
import { type Ledgers, mediaTypes } from './ledgers.js';

/** More would leave no room for pictures. */
const maxFields = 12;
const maxKey = 255;

const isLayout = (layout: number): layout is LedgerForm['layout'] =>
  layouts.some((one) => one === layout);

function isField(field: string): boolean {
  const key = customKeyOf(field);
  if (key === undefined) return captionFields.some((one) => one === field);
  return key.length > 0 && key.length <= maxKey;
}

const captionField = z.union([
  z.enum(captionFields).meta({ id: 'CaptionField' }),
  z.string().meta({ pattern: '^custom:' }),
]);

const fieldWords = {
  error: `a list of 1 to ${maxFields} of ${captionFields.join(', ')}, custom:KEY`,
};

const ledgerFields = z.object({
  image_ids: idsInPlace(maxInLedger),
  format: oneOf(formats).default('pdf'),
  layout: integer(1, Math.max(...layouts))
    .refine(isLayout, { error: `one of ${layouts.join(', ')}` })
    .default(1)
    .meta({ description: `pictures on a page: ${layouts.join(', ')}` }),
  title: text(1, 200).optional().meta({ description: 'default: what such a document is called' }),
  fields: wordList(fieldWords, captionField.meta({ example: 'taken_at' }))
    .refine((given) => given.length > 0 && given.length <= maxFields && given.every(isField), {
      ...fieldWords,
    })
    .default(['number', 'taken_at', 'address', 'place'])
    .meta({
      description: 'of captions, in this order; custom:KEY is the value of one custom',
    }),
  language: oneOf(languages).default('ko'),
});

/** What there is to download. */
const ledger = z
  .object({
    url: addressUrl,
    count: z.int().meta({ description: 'images in it, if it were downloaded now' }),
    pages: z.int().meta({ description: 'with the title page, as a PDF' }),
    expires_at: timestamp,
  })
  .meta({ id: 'Ledger' });

interface LedgerRouteParts {
  readonly ledgers: Ledgers;
  readonly addresses: ArchiveAddresses;
  readonly lists: ImageLists;
  readonly clock: WallClock;
}

const images = '/api/v1/users/:user_id/images' as const;

export const ledgerOperations = ({
  ledgers,
  addresses,
  lists,
  clock,
}: LedgerRouteParts): Operation[] => [
  operation(
    {
      ...makesAddress,
      id: 'createLedger',
      path: `${images}/ledger`,
      summary: 'Get the address of a PDF or workbook of images with captions, oldest first',
      query: filterQuery(clock).omit({ has_delete_at: true }),
      body: ledgerFields,
      result: ledger,
    },
    async ({ path, input, caller, resolveUrl }) => {
      const { image_ids: given, format, layout, fields, language, ...others } = input;
      const { title = wordsIn[language].title, ...filters } = others;
      const form = { format, layout, title, fields, language };
      const found = filterIn(filters, 'taken_at', clock);
      const filter = { ...found, trash: false, sortBy: 'taken_at asc' as const };
      await lists.verify(path.user_id, filter);
      const wanted = { userId: path.user_id, filter, ids: given && [...new Set(given)] };
      const size = await ledgers.measure(wanted, form);
      const { path: at, expires_at } = await addresses.make({ ...wanted, ledger: form }, caller);
      return { url: resolveUrl(at), ...size, expires_at };
    },
  ),
  operation(
    {
      ...opensAddress,
      id: 'getLedger',
      path: `${images}/ledger/:ledger_id`,
      summary: 'Download the ledger of an address',
      stream: Object.values(mediaTypes),
    },
    async ({ path }) => {
      const { form, ...wanted } = await addresses.ledger(path.user_id, path.ledger_id);
      return ledgers.of(wanted, form);
    },
  ),
];
