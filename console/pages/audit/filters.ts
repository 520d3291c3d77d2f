/** What of the audit is shown; an empty text is no filter. */
export interface Filters {
  readonly platform: string;
  readonly user: string;
  /** `YYYY-MM-DD`, inclusive. */
  readonly from: string;
  readonly to: string;
  readonly actor: string;
  readonly act: string;
  /** Also changes of folders and images. */
  readonly content: boolean;
}

export const everything: Filters = {
  platform: '',
  user: '',
  from: '',
  to: '',
  actor: '',
  act: '',
  content: false,
};

const texts = ['platform', 'user', 'from', 'to', 'actor', 'act'] as const;

/** The filters that the query of a URL names. */
export function filtersOf(query: string): Filters {
  const words = new URLSearchParams(query);
  const given = texts.map((name) => [name, words.get(name) ?? ''] as const);
  const of = Object.fromEntries(given) as Record<(typeof texts)[number], string>;
  return { ...of, content: words.has('content') };
}

/** The query that names them, such as `?user=…`; empty for everything. */
export function queryOf(filters: Filters): string {
  const words = new URLSearchParams();
  for (const name of texts) if (filters[name]) words.set(name, filters[name]);
  if (filters.content) words.set('content', '1');
  return words.size > 0 ? `?${words.toString()}` : '';
}
