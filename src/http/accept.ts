// What a client accepts, and how much it likes it (RFC 9110, section 12.4.2).

/** The quality of each name in a header, in lowercase; the first of those that are repeated. */
function qualitiesIn(header: string): ReadonlyMap<string, number> {
  const qualities = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim());
    const weight = parameters.find((one) => /^q\s*=/.test(one))?.replace(/^q\s*=\s*/, '');
    const quality = weight === undefined ? 1 : Number.parseFloat(weight);
    if (!qualities.has(name)) qualities.set(name, Number.isNaN(quality) ? 0 : quality);
  }
  return qualities;
}

/** Less than any quality that a client can name. */
const unnamed = 0.0001;

/**
 * The coding that a client likes best, of those that there are; the first of equals.
 * @returns undefined for a body as it is, which every client takes at worst.
 */
export function acceptedCoding<C extends string>(
  header: string | undefined,
  codings: readonly C[],
): C | undefined {
  if (header === undefined) return undefined;
  const qualities = qualitiesIn(header);
  const others = qualities.get('*');
  let best: C | undefined;
  let most = qualities.get('identity') ?? others ?? unnamed;
  for (const coding of codings) {
    const alias = coding === 'gzip' ? qualities.get('x-gzip') : undefined;
    const quality = qualities.get(coding) ?? alias ?? others ?? 0;
    if (quality <= 0 || (best === undefined ? quality < most : quality <= most)) continue;
    best = coding;
    most = quality;
  }
  return best;
}

/** Whether a client names a media type, and likes it at least as much as JSON. */
export function prefersToJson(header: string | undefined, type: string): boolean {
  const qualities = qualitiesIn(header ?? '');
  const quality = qualities.get(type) ?? 0;
  return quality > 0 && quality >= (qualities.get('application/json') ?? 0);
}
