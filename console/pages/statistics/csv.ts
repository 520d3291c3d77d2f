/** RFC 4180, with the mark that tells spreadsheets the encoding, as exports of the API have it. */
export function csv(rows: readonly (readonly (string | number)[])[]): Blob {
  const lines = rows.map((row) => row.map((value) => cell(String(value))).join(','));
  return new Blob([`\uFEFF${lines.join('\r\n')}\r\n`], { type: 'text/csv;charset=utf-8' });
}

/** Names are the platforms' own: what would be a formula to a spreadsheet is text. */
function cell(text: string): string {
  const plain = /^[=+@\t\r]|^-(?!\d)/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** Has the browser keep a file. */
export function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  // The browser has taken it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
