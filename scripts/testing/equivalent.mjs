// Mutations that no test can notice, and why: by file, and by the changed line as `npm run mutate`
// prints it.
export const equivalent = {
  'src/http/auth/auth.sql.ts': {
    "nfinity')`, [platformId ?? null]); return counted?.live ?? 0; → nfinity')`, [platformId ?? null]); return counted?.live ?? (0 + 1);":
      'A count without groups always has a row.',
    'SET token_generation = token_generation + 1, revoked_at = now(), updated_at = now() → SET token_generation = token_generation - 1, revoked_at = now(), updated_at = now()':
      'Generations are compared for equality only.',
  },
  'src/feed/changes/expiry.sql.ts': {
    'WHERE ${position("excluded")} > ${position("feed_expiry")}`; → WHERE ${position("excluded")} >= ${position("feed_expiry")}`;':
      'A position that replaces the same one changes nothing.',
  },
  'src/feed/changes/waiting.ts': {
    'if (page.changes.length > 0 || left <= 0 || isOver()) return page; → if (page.changes.length > 0 || left < 0 || isOver()) return page;':
      'With no time left to the very nanosecond, it waits for none.',
  },
  'src/library/deletion/platform-removal.ts': {
    '}); return true; → }); return false;': 'It only pauses before it goes on.',
    'await queries.markRowsDeleted(tx, platformId); → queries.markRowsDeleted(tx, platformId);':
      'Statements of a transaction run in order, and lint refuses promises that nothing awaits.',
  },
  'src/library/reclaim/reclaim.ts': {
    'due: 0, failing: 0, → due: 0, failing: (0 + 1),': 'A count without groups always has a row.',
  },
};
