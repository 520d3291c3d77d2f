/** Characters of a name. */
export const maxOriginalName = 255;

/** Characters of what counts as an extension, with its dot. */
const maxExtension = 20;

/** Control characters, line separators, and marks that reverse the direction of text. */
const unseen = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]/gu;

/**
 * The name that a file came with, as records show it: the last component of a path, in NFC, without
 * control characters, of at most 255 characters with its extension. Null when nothing is left.
 */
export function originalName(given: string | null | undefined): string | null {
  const last = (given ?? '').split(/[/\\]/).at(-1) ?? '';
  const name = last.toWellFormed().replace(unseen, '').normalize('NFC').trim();
  return /^\.*$/.test(name) ? null : shortened(name);
}

function shortened(name: string): string {
  const characters = [...name];
  if (characters.length <= maxOriginalName) return name;
  const dot = characters.lastIndexOf('.');
  const extension = characters.length - dot <= maxExtension ? characters.slice(dot) : [];
  const stem = characters.slice(0, maxOriginalName - extension.length);
  return stem.join('').trimEnd() + extension.join('');
}

/** What Windows refuses in the name of a file. */
const refused = /[<>:"/\\|?*]/g;

/** Names that Windows reserves for devices. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** A name under which every system can store the file. */
export function fileName(name: string): string {
  const safe = name.replace(refused, '_').replace(/[. ]+$/, '');
  return safe === '' || reserved.test(safe) ? `_${safe}` : safe;
}

/** The name with the extension of the format that the file has. */
export const withExtension = (name: string, extension: string): string =>
  `${name.replace(/(?<=.)\.[^.]{1,19}$/, '')}.${extension}`;
