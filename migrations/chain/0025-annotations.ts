import { actions } from './0020-change-posting.js';
import { few, postOne, postRows, postUpdate, postUpdates, told } from './0020-change-triggers.js';

/** @param bytes of the text of a row. */
const keeping = (table: 'memos' | 'customs', bytes: string): string => {
  const what = told[table];
  const { insertedIf, deletedIf } = what;
  const entries = (count: string): string => (table === 'memos' ? `${count}, 0` : `0, ${count}`);
  const facts = (rows: string, sign = ''): string =>
    `SELECT image_id, ${sign}1 AS entry, ${sign}(${bytes}) AS bytes FROM ${rows}`;
  const total = (changes: string): string => `
      FOR c IN
        SELECT image_id, sum(entry) AS entries, sum(bytes) AS bytes FROM (${changes}) AS change
        GROUP BY image_id HAVING sum(entry) <> 0 OR sum(bytes) <> 0 ORDER BY image_id
      LOOP
        PERFORM change_annotation_totals(c.image_id, ${entries('c.entries')}, c.bytes);
      END LOOP;`;
  return `
  CREATE OR REPLACE FUNCTION total_${table}() RETURNS trigger LANGUAGE plpgsql AS $function$
  DECLARE
    c record;
    t record;
  BEGIN
    CASE TG_OP
    WHEN 'INSERT' THEN
      IF ${few('new_rows')} = 1 THEN
        PERFORM change_annotation_totals(image_id, ${entries('1')}, ${bytes}) FROM new_rows;
        ${postOne(what, 'new_rows', actions.created, insertedIf)}
        RETURN NULL;
      END IF;
      ${total(facts('new_rows'))}
      ${postRows(what, 'new_rows', actions.created, insertedIf)}
    WHEN 'UPDATE' THEN
      ${total(`${facts('old_rows', '-')} UNION ALL ${facts('new_rows')}`)}
      IF ${few('new_rows')} = 1 THEN
        ${postUpdate(what)}
        RETURN NULL;
      END IF;
      ${postUpdates(what)}
    ELSE
      ${total(facts('old_rows', '-'))}
      ${postRows(what, 'old_rows', actions.deleted, deletedIf)}
    END CASE;
    RETURN NULL;
  END $function$;

  DROP FUNCTION post_${table}() CASCADE;
  `;
};

/** What an annotation adds to the totals of its image, and its entry in the change feed. */
export const annotations =
  keeping('memos', 'octet_length(message)') +
  keeping('customs', 'octet_length(key) + octet_length(value)');
