import type { Font } from 'fontkit';

/** Stands for what the font has no glyph for. */
const replacement = '□';

/** Controls, marks of direction, halves of pairs, and what chooses between forms of a letter. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Variation_Selector}]/gu;

const segmenter = new Intl.Segmenter();

/** Measures and breaks text that is set in a font without kerning. */
export class Lettering {
  /** By code point, in units of the font; negative at those that it lacks. */
  readonly #advances = new Map<number, number>();

  constructor(private readonly font: Font) {}

  /** The text without what cannot be set: an emoji of several code points becomes one replacement. */
  settable(text: string): string {
    const plain = text
      .normalize('NFC')
      .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
      .replace(/[^\S\n]+/g, ' ')
      .replace(/ ?\n[ \n]*/g, '\n');
    let set = '';
    for (const { segment } of segmenter.segment(plain)) {
      const visible = segment === '\n' ? segment : segment.replace(unseen, '');
      const has = [...visible].every((letter) => letter === '\n' || this.#advance(letter) >= 0);
      set += has ? visible : replacement;
    }
    return set.trim();
  }

  /** In points. @param size of the letters, in points. */
  width(text: string, size: number): number {
    let units = 0;
    for (const letter of text) units += Math.max(0, this.#advance(letter));
    return (units * size) / this.font.unitsPerEm;
  }

  /**
   * The lines of a text, at most so many: breaks between words, and within those that are wider than a
   * line.
   */
  lines(text: string, width: number, size: number, most: number): string[] {
    const lines: string[] = [];
    // What does not fit into the lines anyway is not even looked at.
    const letters = [...this.settable(text.slice(0, most * 500))];
    let [line, used, space] = ['', 0, -1];
    const end = (rest = ''): void => {
      lines.push(line.trimEnd());
      [line, used, space] = [rest, this.width(rest, size), -1];
    };
    for (const letter of letters) {
      if (lines.length > most) break;
      if (letter === '\n') {
        end();
        continue;
      }
      if (letter === ' ' && line === '') continue;
      const advance = this.width(letter, size);
      while (used + advance > width && letter !== ' ' && line !== '') {
        if (space < 0) end();
        else {
          const rest = line.slice(space + 1);
          line = line.slice(0, space);
          end(rest);
        }
      }
      if (letter === ' ') space = line.length;
      line += letter;
      used += advance;
    }
    if (line !== '') end();
    if (lines.length <= most) return lines;
    const last = [...(lines[most - 1] ?? '')];
    while (last.length > 0 && this.width(`${last.join('')}…`, size) > width) last.pop();
    return [...lines.slice(0, most - 1), `${last.join('')}…`];
  }

  #advance(letter: string): number {
    const point = letter.codePointAt(0) ?? 0;
    const known = this.#advances.get(point);
    if (known !== undefined) return known;
    const has = this.font.hasGlyphForCodePoint(point);
    const advance = has ? this.font.glyphForCodePoint(point).advanceWidth : -1;
    this.#advances.set(point, advance);
    return advance;
  }
}
