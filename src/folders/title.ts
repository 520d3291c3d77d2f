const maxLength = 255;

/** A path such as `/a/b` is made of titles; control characters would garble it, too. */
const forbidden = /[/\p{Cc}\p{Cs}]/u;

/** The title of a folder: in NFC and trimmed, so that equal titles are equal bytes. */
export const folderTitle = {
  read: (raw: unknown): string | undefined => {
    if (typeof raw !== 'string' && typeof raw !== 'number') return undefined;
    const title = String(raw).normalize('NFC').trim();
    const length = [...title].length;
    return length >= 1 && length <= maxLength && !forbidden.test(title) ? title : undefined;
  },
  expected: `a title of 1 to ${maxLength} characters without "/" and control characters`,
  schema: { type: 'string', minLength: 1, maxLength },
};
