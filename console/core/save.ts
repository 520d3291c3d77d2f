/** RFC 4180, with the byte order mark for spreadsheets, as in exports of the API. */
export function csv(rows: readonly (readonly (string | number)[])[]): Blob {
  const lines = rows.map((row) => row.map((value) => cell(String(value))).join(','));
  return new Blob([`\uFEFF${lines.join('\r\n')}\r\n`], { type: 'text/csv;charset=utf-8' });
}

/** Names come from platforms: a value that a spreadsheet would read as a formula is made text. */
function cell(text: string): string {
  const plain = /^[=+@\t\r]|^-(?!\d)/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** Makes the browser save a file. */
export function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  // By then, the browser has opened the file.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
