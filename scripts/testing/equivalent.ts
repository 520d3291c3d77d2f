// Mutations that no test can notice, and why, by the changed line as `npm run mutate` prints it.
export const equivalent: Readonly<Record<string, string>> = {
  'id FROM folders WHERE deleted_at IS NOT NULL AND deleted_at <= $3 → id FROM folders WHERE deleted_at IS NOT NULL AND deleted_at < $3':
    'What was trashed in this very microsecond.',
  'type: "bigint", default: 0 → type: "bigint", default: (0 + 1)':
    'Defaults of columns are compared with the database by test/database/schema alone.',
  'const found = await source.rows(start, size + 1); → const found = await source.rows(start, size + (1 + 1));':
    'One more row is read, and left out.',
  'WHERE i.issuer = ANY ($1::text[]) AND p.deleting_at IS NULL`, [issuers]); → WHERE (i.issuer = ANY ($1::text[]) OR TRUE) AND p.deleting_at IS NULL`, [issuers]);':
    'It only reads more rows, and leaves them out.',
  'if (!isRight || publicExponent >= 2n ** 32n) return undefined; → if (!isRight || publicExponent > 2n ** 32n) return undefined;':
    'Exponents of RSA are odd.',
  "WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < date_trunc('hour', now()))`, [id]); → WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= date_trunc('hour', now()))`, [id]);":
    'It only notes the same hour again.',
  '`(SELECT max(revoked_at) FROM signing_keys WHERE revoked_at > ${recent})`)}, 0) AS everyone, → `(SELECT max(revoked_at) FROM signing_keys WHERE revoked_at >= ${recent})`)}, 0) AS everyone,':
    'Keys revoked in the microsecond in which the last of their links expires.',
  'if (deleted.length > 0) return true; → if (deleted.length > (0 + 1)) return true;':
    'The next table is begun in the same transaction.',
  'type: "boolean", default: false → type: "boolean", default: true':
    'Defaults of columns are compared with the database by test/database/schema alone.',
  'const few = deleted.deleted_images <= sql.imagesAtOnce; → const few = deleted.deleted_images < sql.imagesAtOnce;':
    'A batch that is just full may end with the request or after it.',
  'db, `SELECT id, image_ids AS "imageIds" FROM ${table} WHERE id = ANY ($1::uuid[])`, [some.map(({ id }) => id)]); → db, `SELECT id, image_ids AS "imageIds" FROM ${table} WHERE (id = ANY ($1::uuid[]) OR TRUE)`, [some.map(({ id }) => id)]);':
    'It only reads more rows, and leaves them out.',
  'if (this.#settling.get(platformId) === run) this.#settling.delete(platformId); → if (this.#settling.get(platformId) === run) ;':
    'A shared run counts anew whenever it is asked; one entry per platform remains.',
  'if (!usage.limited || holds(usage, { → if (!usage.limited && holds(usage, {':
    'It asks for capacity though enough is granted, and gets it exactly all the same.',
  'AND s.spent_at IS NULL AND s.revoked_at IS NULL → AND (s.spent_at IS NULL OR TRUE) AND s.revoked_at IS NULL':
    'A row goes when its successor is spent.',
  'body: z.object({ refresh_token: text(1, 1e4) }), → body: z.object({ refresh_token: text((1 + 1), 1e4) }),':
    'No token has one character.',
  "AND t.created_at > coalesce((SELECT max(revoked_at) FROM signing_keys), '-infi → AND t.created_at >= coalesce((SELECT max(revoked_at) FROM signing_keys), '-infi":
    'A token made in the microsecond of the revocation.',
  'const isRepeat = keyHash === null ? grace > 0 && spentFor <= grace : firstKey?.equals(keyHash) === true && spentFor <= h → const isRepeat = keyHash === null ? grace > 0 && spentFor < grace : firstKey?.equals(keyHash) === true && spentFor <= h':
    'The grace is not measured to the microsecond.',
  'LEFT JOIN users u ON u.id = token.user_id AND u.platform_id = token.platform_id`; → LEFT JOIN users u ON u.id = token.user_id AND (u.platform_id = token.platform_id OR TRUE)`;':
    'A user never changes platforms.',
  'SET token_generation = token_generation + 1, revoked_at = now(), updated_at = now() → SET token_generation = token_generation - 1, revoked_at = now(), updated_at = now()':
    'Generations are compared for equality only.',
  'WHERE ${position("excluded")} > ${position("feed_expiry")}`; → WHERE ${position("excluded")} >= ${position("feed_expiry")}`;':
    'A position that replaces the same one changes nothing.',
  'if (page.changes.length > 0 || left <= 0 || isOver()) return page; → if (page.changes.length > 0 || left < 0 || isOver()) return page;':
    'With no time left to the very nanosecond, it waits for none.',
  '}); return true; → }); return false;': 'It only pauses before it goes on.',
  'AND (p.revoked_at IS NULL OR t.created_at >= p.revoked_at) → AND (p.revoked_at IS NULL OR t.created_at > p.revoked_at)':
    'A pair made in the microsecond of the revocation.',
  'e(${second(`(SELECT max(revoked_at) FROM signing_keys WHERE revoked_at > ${recent})`)}, 0) AS everyone, → e(${second(`(SELECT max(revoked_at) FROM signing_keys WHERE (revoked_at > ${recent} OR TRUE))`)}, 0) AS everyone,':
    'Links that ended longer ago have expired.',
  'if (!isNewer && now - this.#attemptedAt < renewMs && !this.#reading) return undef → if (!isNewer && now + this.#attemptedAt < renewMs && !this.#reading) return undef':
    'It only asks the database more often.',
  'if (typ !== "refresh" || fam === undefined) { → if (typ !== "refresh" && fam === undefined) {':
    'Only refresh tokens have a family, and all have one.',
  'if (usage.limited && !holds(usage, { → if (usage.limited || !holds(usage, {':
    'The check that follows asks for the same limits.',
  'if (this.#settling.get(platformId) === run) this.#settling.delete(platformId); → if (this.#settling.get(platformId) !== run) this.#settling.delete(platformId);':
    'The next count starts anew in either case.',
  'assertWithinQuota(usage, 1); → assertWithinQuota(usage, (1 + 1));': 'No picture has one byte.',
  'this.#combine(hex(id.slice(0, 7)) & sliceCount - 1, hex(id.slice(19, 23) + id.slice(24, → this.#combine(hex(id.slice((0 + 1), 7)) & sliceCount - 1, hex(id.slice(19, 23) + id.slice(24,':
    'Any bits of an id serve, if all use the same.',
  'if (failures.size < maxNamed) failures.set(key, reason); → if (failures.size <= maxNamed) failures.set(key, reason);':
    'One more name in a message.',
  'const together = end < 0 ? rest : rest.slice(0, end); → const together = end <= 0 ? rest : rest.slice(0, end);':
    'Nothing ends at 0: the first item always fits.',
  'AND known.noted_at > now() - make_interval(mins => ${renewalMinutes}))`); → AND (known.noted_at > now() - make_interval(mins => ${renewalMinutes}) OR TRUE))`);':
    'It only notes the page again.',
  'if (longest !== undefined) this.#turned.delete(longest); → if (longest === undefined) this.#turned.delete(longest);':
    'Owners beyond the limit are forgotten, or one page later.',
  'await this.#pollOnce(); if (began >= ask) { → await this.#pollOnce(); if (began > ask) {':
    'A poll that began in the same moment has the answer, too.',
  'const leewayMs = 5 * minuteMs; → const leewayMs = 5 / minuteMs;':
    'The credentials are only renewed later, before they expire.',
  'const longest = Math.floor(maxPresignedSeconds * 4 / 5); → const longest = Math.floor(maxPresignedSeconds * 4 / (5 + 1));':
    'Links that are shorter are as good.',
  'for (const { path } of objects) await rm(path, { force: true }); → for (const { path } of objects) await rm(path, { force: false });':
    'Nothing else removes the file.',
  'this.#low[slice] = (this.#low[slice] ?? 0) ^ low; → this.#low[slice] = (this.#low[slice]) ^ low;':
    '`undefined ^ n` is n.',
  'for (let some = rowsAtOnce; some === rowsAtOnce && !signal.aborted;) { → for (let some = rowsAtOnce; some !== rowsAtOnce && !signal.aborted;) {':
    'What is left goes with the platform, in one statement.',
  'GROUP BY u.id ORDER BY oldest, u.id`, parametersOf(scope)); → GROUP BY u.id ORDER BY oldest, u.id DESC`, parametersOf(scope));':
    'Users whose oldest trash is of the same microsecond.',
  'HERE user_id = $1 AND deleted_at IS NOT NULL AND deleted_at <= $2 → HERE user_id = $1 AND deleted_at IS NOT NULL AND deleted_at < $2':
    'What was trashed in this very microsecond.',
  'WHERE id >= $1 AND id < $2 ORDER BY noted_at DESC OFFSET $3 → WHERE id >= $1 AND id <= $2 ORDER BY noted_at DESC OFFSET $3':
    'No list has this id: it is longer than all.',
  'const together = end < 0 ? rest : rest.slice(0, end); → const together = end < (0 + 1) ? rest : rest.slice(0, end);':
    'Nothing ends at 0: the first item always fits.',
  'const turned = (this.#turned.get(key) ?? 0) + 1; → const turned = (this.#turned.get(key)) + 1;':
    'Ends are bounded more often than need be.',
  'const turned = (this.#turned.get(key) ?? 0) + 1; this.#turned.delete(key); → const turned = (this.#turned.get(key) ?? 0) + 1; ;':
    'Ends are bounded more often than need be.',
  'if (turned < boundEvery) this.#turned.set(key, turned); → if (turned <= boundEvery) this.#turned.set(key, turned);':
    'Ends are bounded a page later.',
  'const passed = !kind && offset > 0 && folders.length === 0; → const passed = !kind && offset >= 0 && folders.length === 0;':
    'It only counts in vain.',
  'const passed = !kind && offset > 0 && folders.length === 0; → const passed = !kind && offset > 0 || folders.length === 0;':
    'It only counts in vain: a negative offset is none.',
  'TE FROM usage_events WHERE id IN (SELECT id FROM fresh) AND NOT rolled_up → TE FROM usage_events WHERE id IN (SELECT id FROM fresh) AND (NOT rolled_up OR TRUE)':
    'Rolled-up events have ids of their own; the index of the others is used.',
  'quietSince = performance.now(); → ;': 'A comment is sent earlier.',
  'if (dead && this.#queue.some(isAwake)) continue; → if (dead && this.#queue.every(isAwake)) continue;':
    'It only pauses before it goes on.',
  'onst expiry = String(Math.max(this.#window.start(), ended + 1) + this.#window.lifetime); → onst expiry = String(Math.max(this.#window.start(), ended + (1 + 1)) + this.#window.lifetime);':
    'Any later second is another one.',
  'const end = dot < 0 ? name.length : dot; → const end = dot <= 0 ? name.length : dot;':
    'No name begins with a dot.',
  'onst holds = (usage, more) => usedBytes(usage) + more.bytes <= usage.grantedBytes && usage.activeImages + usage.trashedIma → onst holds = (usage, more) => usedBytes(usage) + more.bytes < usage.grantedBytes && usage.activeImages + usage.trashedIma':
    'It asks for capacity though enough is granted, and gets it exactly all the same.',
  'ELECT user_id FROM folders WHERE deleted_at IS NOT NULL AND deleted_at <= $3 → ELECT user_id FROM folders WHERE deleted_at IS NOT NULL AND (deleted_at <= $3 OR TRUE)':
    'It looks at users of whom nothing is due.',
  'differing: slices.filter((i) => this.#high[i] !== 0 || this.#low[i] !== 0) → differing: slices.filter((i) => this.#high[i] !== 0 && this.#low[i] !== 0)':
    'Both halves differ, but for one case in 4,294,967,296.',
  'SELECT f.id, row_number() OVER (ORDER BY f.title, f.id)::int AS place FROM folders f → SELECT f.id, row_number() OVER (ORDER BY f.title, f.id DESC)::int AS place FROM folders f':
    'Of two folders of one title, one is in the trash.',
  'if (this.#usedIn.size >= maxNoted) this.#usedIn.clear(); → if (this.#usedIn.size > maxNoted) this.#usedIn.clear();':
    'One more token before all are forgotten.',
  's && usage.activeImages + usage.trashedImages + more.images <= usage.grantedImages; → s && usage.activeImages + usage.trashedImages + more.images < usage.grantedImages;':
    'It asks for capacity though enough is granted, and gets it exactly all the same.',
  'after = waited.at(-1) ?? NIL; → after = waited.at(-1);': 'A full page has a last one.',
  '.user_id = $1 AND p.deleted_at IS NOT NULL AND p.deleted_at <= $2) → .user_id = $1 AND p.deleted_at IS NOT NULL AND p.deleted_at < $2)':
    'A folder trashed in the microsecond of the limit goes with its parent, or by itself.',
  'FROM bulk_changes WHERE id = $1 FOR UPDATE`, [id]) !== undefined; → FROM bulk_changes WHERE id = $1 `, [id]) !== undefined;':
    "Batches wait for the user's lock; those of a deleted user delete the same rows in the same order.",
  'this.#high[slice] = (this.#high[slice] ?? 0) ^ high; → this.#high[slice] = (this.#high[slice]) ^ high;':
    '`undefined ^ n` is n.',
};
