/** A page of images as it comes from the database: the text of the first ones, and the ids of the rest. */
interface PageOfTexts {
  readonly text: string;
  readonly rest: readonly string[];
  readonly count: number;
}

/** The ids of all images of a page. The text of each image begins with its id. */
export function idsOf({ text, rest, count }: PageOfTexts): string[] {
  const texts = text === '' ? [] : text.split('\u0001');
  const each = texts.length / (count - rest.length);
  return [...texts.filter((_, n) => n % each === 0), ...rest];
}
