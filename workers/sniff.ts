/** What the first bytes of a file suggest. `isobmff` is the box format of HEIC and AVIF. */
export type Magic = 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff' | 'isobmff';

/** Enough for a file type box with about sixty brands. */
export const sniffBytes = 256;

// Still images and sequences coded with HEVC or AV1, and the brands that leave the coding open.
const pictureBrands = /^(?:avif|avis|heic|heix|hevc|hevx|heim|heis|hevm|hevs|mif1|mif2|miaf|msf1)$/;

function isPictureBox(head: Buffer): boolean {
  if (head.toString('latin1', 4, 8) !== 'ftyp') return false;
  const end = Math.min(head.readUInt32BE(0), head.length);
  for (let at = 8; at + 4 <= end; at += 4) {
    // The four bytes after the major brand are a version number, not a brand.
    if (at !== 12 && pictureBrands.test(head.toString('latin1', at, at + 4))) return true;
  }
  return false;
}

/** @returns undefined for anything that is not an accepted format. */
export function magicOf(head: Buffer): Magic | undefined {
  const text = head.toString('latin1');
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'webp';
  if (/^GIF8[79]a/.test(text)) return 'gif';
  // The second form is BigTIFF.
  if (/^(?:II[*+]\0|MM\0[*+])/.test(text)) return 'tiff';
  return head.length >= 12 && isPictureBox(head) ? 'isobmff' : undefined;
}
