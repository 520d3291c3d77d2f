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
  const extension = extensionOf(name);
  const stem = characters.slice(0, maxOriginalName - [...extension].length);
  return stem.join('').trimEnd() + extension;
}

/** What counts as the extension of a name, with its dot. */
function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  const extension = dot < 0 ? '' : name.slice(dot);
  return [...extension].length <= maxExtension ? extension : '';
}

/** Bytes of a name that file systems take. */
const maxFileName = 255;

/** The name with `more` before its extension, cut before that at a character where it is too long. */
export function fittingName(name: string, more = ''): string {
  const extension = extensionOf(name);
  const end = more + extension;
  const stem = name.slice(0, name.length - extension.length);
  let left = maxFileName - Buffer.byteLength(end);
  if (Buffer.byteLength(stem) <= left) return stem + end;
  let length = 0;
  for (const character of stem) {
    left -= Buffer.byteLength(character);
    if (left < 0) break;
    length += character.length;
  }
  return stem.slice(0, length).trimEnd() + end;
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
