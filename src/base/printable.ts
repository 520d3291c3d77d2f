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
