// Names in archives, by the rules of the server's archives (src/library/images/archive/plan.ts and
// original-name.ts).

/** What Windows refuses in the name of a file. */
const refused = /[<>:"/\\|?*]/g;

/** Names that Windows reserves for devices. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** A name under which every system can store a file or folder. */
export function safeName(name: string): string {
  const safe = name.replace(refused, '_').replace(/[. ]+$/, '');
  return safe === '' || reserved.test(safe) ? `_${safe}` : safe;
}

/** Gives each entry a path of its own; to some file systems, case makes no difference. */
export class EntryNames {
  readonly #taken = new Set<string>();

  give(wanted: string): string {
    let name = wanted;
    for (let n = 2; this.#taken.has(name.toLowerCase()); n += 1) {
      name = wanted.replace(/(?=\.[^./]*$|$)/, ` (${n})`);
    }
    this.#taken.add(name.toLowerCase());
    return name;
  }
}
