import { z } from 'zod';
import { type Queryable, rows } from '../../database/sql.js';

/** Where what can be chosen is looked for, and how much of it is offered. */
const bounds = { images: 10_000, customs: 50_000, each: 100, values: 10, characters: 255 };

const images = z.int().meta({ description: 'how many of the newest images have it' });

export const choices = z
  .object({
    cameras: z.array(z.object({ camera: z.string(), images })),
    customs: z.array(
      z.object({
        key: z.string(),
        images,
        values: z.array(z.string()).meta({
          description: `the ${bounds.values} most frequent, of up to ${bounds.characters} characters`,
        }),
      }),
    ),
  })
  .meta({ id: 'ImageChoices' });
export type Choices = z.output<typeof choices>;

const newest = `SELECT id, camera FROM images WHERE user_id = $1
  ORDER BY created_at DESC, id DESC LIMIT ${bounds.images}`;

const camerasSql = `
  SELECT camera, count(*)::int AS images FROM (${newest}) AS i WHERE camera IS NOT NULL
  GROUP BY camera ORDER BY images DESC, camera LIMIT ${bounds.each}`;

const customsSql = `
  WITH custom AS MATERIALIZED (
    SELECT c.* FROM (${newest}) AS i CROSS JOIN LATERAL (
      SELECT image_id, key, left(value, ${bounds.characters} + 1) AS value FROM customs
      WHERE image_id = i.id OFFSET 0
    ) AS c LIMIT ${bounds.customs}
  ),
  offered AS (
    SELECT key, count(DISTINCT image_id)::int AS images FROM custom
    GROUP BY key ORDER BY images DESC, key LIMIT ${bounds.each}
  )
  SELECT key, images, ARRAY(
    SELECT c.value FROM custom c
    WHERE c.key = o.key AND c.value <> '' AND length(c.value) <= ${bounds.characters}
    GROUP BY c.value ORDER BY count(*) DESC, c.value LIMIT ${bounds.values}
  ) AS values
  FROM offered o ORDER BY images DESC, key`;

/** What lists can be narrowed to, as far as the newest images of a user tell. */
export async function choicesOf(db: Queryable, userId: string): Promise<Choices> {
  const [cameras, customs] = await Promise.all([
    rows<Choices['cameras'][number]>(db, camerasSql, [userId]),
    rows<Choices['customs'][number]>(db, customsSql, [userId]),
  ]);
  return { cameras, customs };
}
