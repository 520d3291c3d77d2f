const escaped = (text: string): string => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
const attributes = (given: Attributes): string =>
  Object.entries(given)
    .map(([name, value]) => ` ${name}="${typeof value === 'number' ? rounded(value) : value}"`)
    .join('');
const rounded = (value: number): string => String(Math.round(value * 10) / 10);

type Attributes = Readonly<Record<string, string | number>>;

/** An element without content, such as a line. */
export const shape = (name: string, given: Attributes): string => `<${name}${attributes(given)}/>`;

export const label = (x: number, y: number, text: string, given: Attributes = {}): string =>
  `<text${attributes({ x, y, ...given })}>${escaped(text)}</text>`;

/** A picture with a caption above. */
export const picture = (
  { width, height }: { readonly width: number; readonly height: number },
  caption: string,
  parts: readonly string[],
): string =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${Math.ceil(width)} ${Math.ceil(height)}" font-family="sans-serif" font-size="13">`,
    shape('rect', { width: '100%', height: '100%', fill: '#fff' }),
    label(8, 20, caption, { 'font-size': 15, 'font-weight': 'bold' }),
    ...parts,
    '</svg>',
    '',
  ].join('\n');
