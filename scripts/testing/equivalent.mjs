// Mutations that no test can notice, and why, by the changed line as `npm run mutate` prints it.
export const equivalent = {
  'if (this.#settling.get(platformId) === run) this.#settling.delete(platformId); → if (this.#settling.get(platformId) === run) ;':
    'A shared run counts anew whenever it is asked; one entry per platform remains.',
  'ows(db, `SELECT id FROM users WHERE platform_id = $1 AND id > $2 ORDER BY id LIMIT $3 FOR SHARE`, [ → ows(db, `SELECT id FROM users WHERE platform_id = $1 AND id >= $2 ORDER BY id LIMIT $3 FOR SHARE`, [':
    'It waits for one user twice.',
  'if (!usage.limited || holds(usage, { → if (!usage.limited && holds(usage, {':
    'It asks for capacity though enough is granted, and gets it exactly all the same.',
  'AND s.spent_at IS NULL AND s.revoked_at IS NULL → AND (s.spent_at IS NULL OR TRUE) AND s.revoked_at IS NULL':
    'A row goes when its successor is spent.',
  'body: z.object({ refresh_token: text(1, 1e4) }), → body: z.object({ refresh_token: text((1 + 1), 1e4) }),':
    'No token has one character.',
  "AND t.created_at > coalesce((SELECT max(revoked_at) FROM signing_keys), '-infi → AND t.created_at >= coalesce((SELECT max(revoked_at) FROM signing_keys), '-infi":
    'A token made in the microsecond of the revocation.',
  'if (!found) throw new ServiceError("platform_not_found"); → if (!found) ;':
    'The caller has just read the platform.',
  'const isRepeat = keyHash === null ? grace > 0 && spentFor <= grace : firstKey?.equals(keyHash) === true && spentFor <= h → const isRepeat = keyHash === null ? grace > 0 && spentFor < grace : firstKey?.equals(keyHash) === true && spentFor <= h':
    'The grace is not measured to the microsecond.',
  'LEFT JOIN users u ON u.id = token.user_id AND u.platform_id = token.platform_id`; → LEFT JOIN users u ON u.id = token.user_id AND (u.platform_id = token.platform_id OR TRUE)`;':
    'A user never changes platforms.',
  "nfinity')`, [platformId ?? null]); return counted?.live ?? 0; → nfinity')`, [platformId ?? null]); return counted?.live ?? (0 + 1);":
    'A count without groups always has a row.',
  'SET token_generation = token_generation + 1, revoked_at = now(), updated_at = now() → SET token_generation = token_generation - 1, revoked_at = now(), updated_at = now()':
    'Generations are compared for equality only.',
  'WHERE ${position("excluded")} > ${position("feed_expiry")}`; → WHERE ${position("excluded")} >= ${position("feed_expiry")}`;':
    'A position that replaces the same one changes nothing.',
  'if (page.changes.length > 0 || left <= 0 || isOver()) return page; → if (page.changes.length > 0 || left < 0 || isOver()) return page;':
    'With no time left to the very nanosecond, it waits for none.',
  '}); return true; → }); return false;': 'It only pauses before it goes on.',
  'due: 0, failing: 0, → due: 0, failing: (0 + 1),': 'A count without groups always has a row.',
  "igning_keys), '-infinity')`, [platformId ?? null]); return counted?.live ?? 0; → igning_keys), '-infinity')`, [platformId ?? null]); return counted?.live;":
    'A count without groups always has a row.',
  'AND (p.revoked_at IS NULL OR t.created_at >= p.revoked_at) → AND (p.revoked_at IS NULL OR t.created_at > p.revoked_at)':
    'A pair made in the microsecond of the revocation.',
  'e(${second(`(SELECT max(revoked_at) FROM signing_keys WHERE revoked_at > ${recent})`)}, 0) AS everyone, → e(${second(`(SELECT max(revoked_at) FROM signing_keys WHERE (revoked_at > ${recent} OR TRUE))`)}, 0) AS everyone,':
    'Links that ended longer ago have expired.',
  'if (!isNewer && now - this.#attemptedAt < renewMs && !this.#reading) return undef → if (!isNewer && now + this.#attemptedAt < renewMs && !this.#reading) return undef':
    'It only asks the database more often.',
  'r <= grace : firstKey?.equals(keyHash) === true && spentFor <= hours * hourMs / secondMs; → r <= grace : firstKey?.equals(keyHash) === true && spentFor < hours * hourMs / secondMs;':
    'The grace is not measured to the microsecond.',
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
  'AND noted_at > now() - make_interval(mins => ${cursorLifetimeMinutes})`; → AND noted_at >= now() - make_interval(mins => ${cursorLifetimeMinutes})`;':
    'A bookmark that expires in this microsecond.',
  'AND known.noted_at > now() - make_interval(mins => ${renewalMinutes}))`); → AND (known.noted_at > now() - make_interval(mins => ${renewalMinutes}) OR TRUE))`);':
    'It only notes the page again.',
  'export const cursorLifetimeMinutes = 60; → export const cursorLifetimeMinutes = (60 + 1);':
    'A minute more.',
  'if (longest !== undefined) this.#turned.delete(longest); → if (longest === undefined) this.#turned.delete(longest);':
    'Owners beyond the limit are forgotten, or one page later.',
  'return (await row(db, sql, values))?.folders ?? 0; → return (await row(db, sql, values))?.folders;':
    'A count without groups always has a row.',
  ']); return found?.days ?? "[]"; → ]); return found?.days;':
    'An aggregate without groups always has a row.',
  'await this.#pollOnce(); if (began >= ask) { → await this.#pollOnce(); if (began > ask) {':
    'A poll that began in the same moment has the answer, too.',
  'if (ms > 0) await waitUntilWoken(waiter, { → if (ms >= 0) await waitUntilWoken(waiter, {':
    'A wait of no time ends at once.',
  'const leewayMs = 5 * minuteMs; → const leewayMs = 5 / minuteMs;':
    'The credentials are only renewed later, before they expire.',
  'const longest = Math.floor(maxPresignedSeconds * 4 / 5); → const longest = Math.floor(maxPresignedSeconds * 4 / (5 + 1));':
    'Links that are shorter are as good.',
  'for (const { path } of objects) await rm(path, { force: true }); → for (const { path } of objects) await rm(path, { force: false });':
    'Nothing else removes the file.',
};
