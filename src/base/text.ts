/**
 * Characters that change how a terminal shows what follows: control characters, line separators, and
 * marks that reverse the direction of text.
 */
const steering = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** Escapes them as in JSON, so that untrusted text neither steers a terminal nor looks like lines. */
export const printable = (text: string): string =>
  text.replace(steering, (character) => {
    const quoted = JSON.stringify(character).slice(1, -1);
    return quoted.length > 1 ? quoted : `\\u${quoted.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });

/** The same, except that the text keeps its lines and tabs. */
export const printableLines = (text: string): string =>
  text.replace(/[^\n\t]+/g, (part) => printable(part));

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const joining = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** How many columns of a terminal text takes: those of East Asia and emoji take two. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) {
    columns += wide.test(character) ? 2 : joining.test(character) ? 0 : 1;
  }
  return columns;
}

/** How many edits turn one word into the other; swapping two neighboring letters counts as one. */
function distance(a: string, b: string): number {
  let [before, last]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        (last?.[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last?.[j - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before?.[j - 2] ?? Infinity) + 1 : Infinity,
      );
    }
    [before, last] = [last, row];
  }
  return last?.[b.length] ?? 0;
}

/** Shorter beginnings match too many words. */
const shortestBeginning = 3;

/** The known word that a mistyped one most likely means; undefined if none is close. */
export function closest(word: string, known: readonly string[]): string | undefined {
  const whole = known.find((one) => one.endsWith(`.${word}`));
  if (whole !== undefined) return whole;
  const begun = known.filter((one) => one.startsWith(word));
  if (begun.length === 1 && word.length >= shortestBeginning) return begun[0];
  const near = Math.max(2, Math.floor(word.length / 4));
  const [best] = known
    .map((one) => ({ one, edits: distance(word.toLowerCase(), one.toLowerCase()) }))
    .filter(({ edits, one }) => edits <= near && edits < one.length / 2 + 1)
    .sort((a, b) => a.edits - b.edits);
  return best?.one;
}

/** Completes a message about an unknown word. */
export function didYouMean(word: string, known: readonly string[]): string {
  const meant = closest(word, known);
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}
