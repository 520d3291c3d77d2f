import { type Box, BoxReader, boxesIn } from './boxes.js';
import type { FileBytes } from './file-bytes.js';
import type { Extent } from './item-bytes.js';
import { counter } from './structure.js';

export interface HeifItem {
  type: string;
  /** In the order in which they apply. */
  readonly properties: Box[];
  readonly extents: Extent[];
  /** The items it is made of. */
  derivedFrom: readonly number[];
}

/** The item table of a HEIF file. */
export class HeifItems {
  readonly #items = new Map<number, HeifItem>();
  readonly #auxiliaries = new Map<number, number[]>();
  readonly #countReference = counter('references between items', 65_536);
  readonly primary: number;

  constructor(
    private readonly bytes: FileBytes,
    meta: Box,
  ) {
    const children = boxesIn(bytes, meta.start + 4, meta.end);
    const box = (type: string): Box | undefined => children.find((child) => child.type === type);
    const read = (type: string, reader: (r: BoxReader, box: Box) => void): void => {
      const found = box(type);
      if (found) reader(new BoxReader(bytes, found), found);
    };
    let primary = 0;
    read('pitm', (r) => (primary = r.number(r.version === 0 ? 2 : 4)));
    this.primary = primary;
    const infos = box('iinf');
    if (infos) this.#readTypes(infos);
    read('iloc', (r) => this.#readPlaces(r, box('idat')));
    const references = box('iref');
    if (references) this.#readReferences(references);
    const properties = box('iprp');
    if (properties) this.#readProperties(properties);
  }

  get(id: number): HeifItem | undefined {
    return this.#items.get(id);
  }

  /** The items of a type, in the order of the table. */
  ofType(type: string): HeifItem[] {
    return [...this.#items.values()].filter((item) => item.type === type);
  }

  /** Ids of an item's auxiliary images: its alpha plane, but also depth maps and more. */
  auxiliariesOf(id: number): readonly number[] {
    return this.#auxiliaries.get(id) ?? [];
  }

  #readTypes(infos: Box): void {
    const { version } = new BoxReader(this.bytes, { ...infos, end: infos.start + 4 });
    const start = infos.start + 4 + (version === 0 ? 2 : 4);
    for (const info of boxesIn(this.bytes, start, infos.end)) {
      const r = new BoxReader(this.bytes, { ...info, end: Math.min(info.end, info.start + 16) });
      if (info.type !== 'infe' || r.version < 2) continue;
      const id = r.number(r.version === 2 ? 2 : 4);
      r.skip(2);
      this.#items.set(id, { type: r.text(4), properties: [], extents: [], derivedFrom: [] });
    }
  }

  #readPlaces(r: BoxReader, data: Box | undefined): void {
    const widths = r.number(2);
    const [offsetBytes, lengthBytes, baseBytes] = [widths >> 12, (widths >> 8) & 15, (widths >> 4) & 15]; // prettier-ignore
    const indexBytes = r.version === 0 ? 0 : widths & 15;
    const count = r.number(r.version < 2 ? 2 : 4);
    for (let i = 0; i < count && r.more; i++) {
      const item = this.#items.get(r.number(r.version < 2 ? 2 : 4));
      // 0: the file; 1: the data box of the table.
      const method = r.version === 0 ? 0 : r.number(2) & 15;
      r.skip(2);
      const base = r.number(baseBytes) + (method === 1 ? (data?.start ?? 0) : 0);
      const extents = r.number(2);
      for (let j = 0; j < extents && r.more; j++) {
        r.skip(indexBytes);
        const offset = base + r.number(offsetBytes);
        const length = r.number(lengthBytes);
        if (method < 2) item?.extents.push({ offset, length });
      }
    }
  }

  #readReferences(references: Box): void {
    const { version } = new BoxReader(this.bytes, { ...references, end: references.start + 4 });
    const idBytes = version === 0 ? 2 : 4;
    for (const reference of boxesIn(this.bytes, references.start + 4, references.end)) {
      // These have no version field, so one is prepended.
      const r = new BoxReader(this.bytes, { ...reference, start: reference.start - 4 });
      const from = r.number(idBytes);
      const ids: number[] = [];
      for (let left = r.number(2); left > 0 && r.more; left--) {
        this.#countReference();
        ids.push(r.number(idBytes));
      }
      const item = this.#items.get(from);
      if (item && reference.type === 'dimg') item.derivedFrom = ids;
      if (reference.type !== 'auxl') continue;
      for (const id of ids) this.#auxiliaries.set(id, [...this.auxiliariesOf(id), from]);
    }
  }

  #readProperties(properties: Box): void {
    const children = boxesIn(this.bytes, properties.start, properties.end);
    const container = children.find(({ type }) => type === 'ipco');
    const all = container ? boxesIn(this.bytes, container.start, container.end) : [];
    for (const association of children.filter(({ type }) => type === 'ipma')) {
      const r = new BoxReader(this.bytes, association);
      const count = r.number(4);
      for (let i = 0; i < count && r.more; i++) {
        const item = this.#items.get(r.number(r.version === 0 ? 2 : 4));
        for (let left = r.number(1); left > 0; left--) {
          const index = r.flags & 1 ? r.number(2) & 0x7fff : r.number(1) & 0x7f;
          const property = all[index - 1];
          if (property) item?.properties.push(property);
        }
      }
    }
  }
}
