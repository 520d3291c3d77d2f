// The final text of command output on a screen of 80 columns.

export const columns = 80;

const escapes = /\u001b(?:\[[\d;?]*[A-Za-z]|[()][A-Z0-9]|[=>78])/g;
const spinners = /[\u2800-\u28ff]/g;
const wide = /[\u1100-\u11ff\u3000-\u9fff\uac00-\ud7a3\uff00-\uff60\p{Emoji_Presentation}]/u;

/** Removes colors, and keeps only the last version of an overwritten line. */
export const settled = (text) =>
  text
    .replaceAll(escapes, '')
    .replaceAll(spinners, '')
    .split('\n')
    .map((line) => line.replace(/\r+$/, '').split('\r').at(-1).trimEnd())
    .join('\n');

/** A line as the terminal breaks it. */
function broken(line) {
  const rows = [''];
  let width = 0;
  for (const character of line) {
    const takes = wide.test(character) ? 2 : 1;
    if (width + takes > columns) {
      rows.push('');
      width = 0;
    }
    rows[rows.length - 1] += character;
    width += takes;
  }
  return rows.join('\n');
}

/** Breaks long lines as a terminal does. */
export const wrapped = (text) => text.split('\n').map(broken).join('\n');
