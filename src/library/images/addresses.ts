import { z } from 'zod';
import { type Queryable, rows } from '../../database/sql.js';
import { integer, text } from '../../http/request-fields.js';
import { searched } from './list/search.sql.js';

/** Images whose addresses are compared: if words are in more, these are some of them. */
const maxCompared = 20_000;

export const addressQuery = z.object({
  search: text(1, 1000).meta({ description: 'part of an address, or of the name of a building' }),
  limit: integer(1, 100).default(20),
});
export type AddressQuery = z.output<typeof addressQuery>;

export const addressList = z
  .object({
    addresses: z.array(
      z
        .object({
          address: z
            .string()
            .nullable()
            .meta({ description: 'road address, else that of the lot' }),
          building_name: z.string().nullable(),
          count: z.int(),
          latitude: z.number().meta({ description: 'of the newest of them' }),
          longitude: z.number(),
        })
        .meta({ id: 'ImageAddress' }),
    ),
    is_exact: z.boolean().meta({
      description: `false: the words are in more than ${maxCompared.toLocaleString('en')} images, of which so many were compared`,
    }),
  })
  .meta({ id: 'ImageAddresses' });
export type AddressList = z.output<typeof addressList>;

type Address = AddressList['addresses'][number];

const sql = `
  WITH match AS MATERIALIZED (
    SELECT id FROM (${searched('address', '$2').lookup()}) AS found LIMIT ${maxCompared + 1}
  ),
  address AS (
    SELECT coalesce(i.address_road, i.address_land) AS address, i.building_name,
           count(*)::int AS count, (array_agg(i.location ORDER BY i.created_at DESC, i.id DESC))[1] AS location
    FROM match JOIN images i USING (id)
    WHERE i.user_id = $1 AND i.deleted_at IS NULL AND i.location IS NOT NULL
    GROUP BY 1, 2 ORDER BY count DESC, 1, 2 LIMIT $3
  )
  SELECT address, building_name, count, ST_Y(location::geometry) AS latitude,
         ST_X(location::geometry) AS longitude, (SELECT count(*) <= ${maxCompared} FROM match) AS "isExact"
  FROM address ORDER BY count DESC, 1, 2`;

/** The addresses that words are in, of images on the map; those of most images first. */
export async function addressesOf(
  db: Queryable,
  userId: string,
  { search, limit }: AddressQuery,
): Promise<AddressList> {
  const found = await rows<Address & { readonly isExact: boolean }>(db, sql, [
    userId,
    search,
    limit,
  ]);
  return {
    addresses: found.map(({ isExact, ...address }) => (void isExact, address)),
    is_exact: found[0]?.isExact ?? true,
  };
}
