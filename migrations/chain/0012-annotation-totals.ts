import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How many memos and customs each image has, and how much text, so that both can be bounded and an
 * answer's size is known before it is read (docs/adr/0010). Kept by triggers, like the accounts of
 * migration 2.
 */
export class AnnotationTotals0000000000012 implements MigrationInterface {
  readonly name = 'AnnotationTotals0000000000012';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(totals);
    await runner.query(changing);
    await runner.query(keeping('memos', 'octet_length(message)'));
    await runner.query(keeping('customs', 'octet_length(key) + octet_length(value)'));
    await runner.query(filling);
    await runner.query(orders);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not undone; restore a backup instead.');
  }
}

// Images first: so do deletions, whose cascades go on to memos and customs.
const totals = `
  LOCK TABLE images, memos, customs IN SHARE ROW EXCLUSIVE MODE;

  CREATE TABLE annotation_totals (
    image_id uuid PRIMARY KEY,
    memos integer NOT NULL DEFAULT 0,
    customs integer NOT NULL DEFAULT 0,
    text_bytes bigint NOT NULL DEFAULT 0
  ) WITH (fillfactor = 80);
  COMMENT ON TABLE annotation_totals IS 'images without a row have never had a memo or custom';
  COMMENT ON COLUMN annotation_totals.text_bytes IS 'of messages, keys and values, in UTF-8';
`;

// What grows past a limit is refused, whatever it was before: images that were beyond a limit when
// it came can shrink. The limits come with the statement; one without, such as an operator's, has
// none. Rows of images that are being deleted may be gone before the last of their annotations.
const changing = `
  CREATE FUNCTION change_annotation_totals(
    image uuid, more_memos bigint, more_customs bigint, more_bytes bigint)
  RETURNS void LANGUAGE plpgsql AS $function$
  DECLARE
    most CONSTANT bigint[] :=
      nullif(current_setting('imgstore.annotation_limits', true), '')::bigint[];
    total annotation_totals;
    broken text;
  BEGIN
    IF more_memos < 0 OR more_customs < 0 THEN
      UPDATE annotation_totals t
      SET memos = t.memos + more_memos, customs = t.customs + more_customs,
          text_bytes = t.text_bytes + more_bytes
      WHERE t.image_id = image;
      RETURN;
    END IF;
    INSERT INTO annotation_totals AS t (image_id, memos, customs, text_bytes)
    VALUES (image, more_memos, more_customs, more_bytes)
    ON CONFLICT (image_id) DO UPDATE
    SET memos = t.memos + excluded.memos, customs = t.customs + excluded.customs,
        text_bytes = t.text_bytes + excluded.text_bytes
    RETURNING * INTO total;
    broken := CASE
      WHEN more_memos > 0 AND total.memos > most[1] THEN 'too_many_memos'
      WHEN more_customs > 0 AND total.customs > most[2] THEN 'too_many_customs'
      WHEN more_bytes > 0 AND total.text_bytes > most[3] THEN 'too_much_text' END;
    IF broken IS NOT NULL THEN
      RAISE check_violation
        USING MESSAGE = 'the annotations of an image are bounded', CONSTRAINT = broken;
    END IF;
  END $function$;
`;

/** @param bytes of the text of a row. */
const keeping = (table: 'memos' | 'customs', bytes: string): string => {
  const entries = table === 'memos' ? 'c.entries, 0' : '0, c.entries';
  const change = `PERFORM change_annotation_totals(c.image_id, ${entries}, c.bytes)`;
  const facts = (rows: string, sign = ''): string =>
    `SELECT image_id, ${sign}1 AS entry, ${sign}(${bytes}) AS bytes FROM ${rows}`;
  const summed = (changes: string): string =>
    `SELECT image_id, sum(entry) AS entries, sum(bytes) AS bytes FROM (${changes}) AS change
     GROUP BY image_id HAVING sum(entry) <> 0 OR sum(bytes) <> 0 ORDER BY image_id`;
  return `
  CREATE FUNCTION total_${table}() RETURNS trigger LANGUAGE plpgsql AS $function$
  DECLARE
    c record;
  BEGIN
    CASE TG_OP
    WHEN 'INSERT' THEN
      FOR c IN ${summed(facts('new_rows'))} LOOP ${change}; END LOOP;
    WHEN 'DELETE' THEN
      FOR c IN ${summed(facts('old_rows', '-'))} LOOP ${change}; END LOOP;
    ELSE
      FOR c IN ${summed(`${facts('old_rows', '-')} UNION ALL ${facts('new_rows')}`)}
      LOOP ${change}; END LOOP;
    END CASE;
    RETURN NULL;
  END $function$;

  CREATE TRIGGER total_inserted AFTER INSERT ON ${table} REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION total_${table}();
  CREATE TRIGGER total_updated AFTER UPDATE ON ${table}
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION total_${table}();
  CREATE TRIGGER total_deleted AFTER DELETE ON ${table} REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION total_${table}();
  `;
};

// Long lists are read a page at a time.
const orders = `
  CREATE INDEX users_oldest ON users (platform_id, created_at, id);
  CREATE INDEX platforms_oldest ON platforms (created_at, id);
`;

// The reference comes last: it is then checked once, and not row by row.
const filling = `
  INSERT INTO annotation_totals (image_id, memos, customs, text_bytes)
  SELECT image_id, sum(memos), sum(customs), sum(bytes)
  FROM (
    SELECT image_id, 1 AS memos, 0 AS customs, octet_length(message) AS bytes FROM memos
    UNION ALL
    SELECT image_id, 0, 1, octet_length(key) + octet_length(value) FROM customs
  ) AS annotation
  GROUP BY image_id;

  ALTER TABLE annotation_totals ADD FOREIGN KEY (image_id) REFERENCES images ON DELETE CASCADE;
`;
