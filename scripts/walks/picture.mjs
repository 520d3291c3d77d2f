// Draws the text of a terminal as an SVG, with each character in its column in any font.
import { columns } from './screen.mjs';

const [wide, high, margin] = [8.4, 19, 16];

const escaped = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function row(line, n) {
  if (line === '') return '';
  const at = `x="${margin}" y="${margin + high * (n + 1) - 5}"`;
  const length = Math.round([...line].length * wide * 10) / 10;
  const typed = /^\S* \$ /.test(line) || line.startsWith('#') ? ' class="typed"' : '';
  return `<text ${at}${typed} textLength="${length}">${escaped(line)}</text>\n`;
}

/** @param text lines that fit the columns of a terminal. */
export function picture(text) {
  const lines = text.split('\n');
  const size = [columns * wide + 2 * margin, lines.length * high + 2 * margin].map(Math.ceil);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.join(' ')}" width="${size[0]}" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
<style>
text { fill: #d8d8d8; white-space: pre; }
.typed { fill: #8fc1ff; }
</style>
<rect width="100%" height="100%" rx="6" fill="#191919"/>
${lines.map(row).join('')}</svg>
`;
}
