/**
 * The functions of migration 12 with a path for one new row, which is nearly every statement.
 * @param bytes of the text of a row.
 */
const keeping = (table: 'memos' | 'customs', bytes: string): string => {
  const entries = (count: string): string => (table === 'memos' ? `${count}, 0` : `0, ${count}`);
  const change = `PERFORM change_annotation_totals(c.image_id, ${entries('c.entries')}, c.bytes)`;
  const facts = (rows: string, sign = ''): string =>
    `SELECT image_id, ${sign}1 AS entry, ${sign}(${bytes}) AS bytes FROM ${rows}`;
  const summed = (changes: string): string =>
    `SELECT image_id, sum(entry) AS entries, sum(bytes) AS bytes FROM (${changes}) AS change
     GROUP BY image_id HAVING sum(entry) <> 0 OR sum(bytes) <> 0 ORDER BY image_id`;
  return `
  CREATE OR REPLACE FUNCTION total_${table}() RETURNS trigger LANGUAGE plpgsql AS $function$
  DECLARE
    c record;
  BEGIN
    CASE TG_OP
    WHEN 'INSERT' THEN
      IF (SELECT count(*) = 1 FROM (SELECT FROM new_rows LIMIT 2) AS few) THEN
        PERFORM change_annotation_totals(image_id, ${entries('1')}, ${bytes}) FROM new_rows;
        RETURN NULL;
      END IF;
      FOR c IN ${summed(facts('new_rows'))} LOOP ${change}; END LOOP;
    WHEN 'DELETE' THEN
      FOR c IN ${summed(facts('old_rows', '-'))} LOOP ${change}; END LOOP;
    ELSE
      FOR c IN ${summed(`${facts('old_rows', '-')} UNION ALL ${facts('new_rows')}`)}
      LOOP ${change}; END LOOP;
    END CASE;
    RETURN NULL;
  END $function$;
  `;
};

export const annotationTotals =
  keeping('memos', 'octet_length(message)') +
  keeping('customs', 'octet_length(key) + octet_length(value)');
