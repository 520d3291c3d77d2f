const u16 = (...values: readonly number[]): Buffer => {
  const out = Buffer.alloc(values.length * 2);
  values.forEach((value, i) => out.writeUInt16BE(value, i * 2));
  return out;
};
export const u32 = (...values: readonly number[]): Buffer => {
  const out = Buffer.alloc(values.length * 4);
  values.forEach((value, i) => out.writeUInt32BE(value, i * 4));
  return out;
};

export function box(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, 'latin1'), body]);
}

const fullBox = (type: string, version: number, ...parts: readonly Buffer[]): Buffer =>
  box(type, Buffer.from([version, 0, 0, 0]), ...parts);

export const size = (width: number, height = width): Buffer =>
  fullBox('ispe', 0, u32(width, height));

export interface Item {
  readonly type: string;
  /** Boxes; each item has its own. */
  readonly properties: readonly Buffer[];
  readonly data: Buffer;
  /** Ids of the items that it is derived from, starting at one. */
  readonly derivedFrom?: readonly number[];
  /** Id of the item whose alpha plane it is. */
  readonly alphaOf?: number;
}

/** A HEIF file; the first item is the image. */
export function heifFile(items: readonly Item[], brand = 'avif'): Buffer {
  const numbered = items.map((item, i) => ({ ...item, id: i + 1 }));
  const infos = numbered.map(({ id, type }) =>
    fullBox('infe', 2, u16(id, 0), Buffer.from(`${type}\0`)),
  );
  const references = numbered.flatMap(({ id, derivedFrom = [], alphaOf }) => [
    ...(derivedFrom.length > 0 ? [box('dimg', u16(id, derivedFrom.length, ...derivedFrom))] : []),
    ...(alphaOf ? [box('auxl', u16(id, 1, alphaOf))] : []),
  ]);
  let property = 0;
  const associations = numbered.map(({ id, properties }) =>
    Buffer.concat([
      u16(id),
      Buffer.from([properties.length, ...properties.map(() => ++property | 0x80)]),
    ]),
  );
  const fileType = box('ftyp', Buffer.from(brand), u32(0), Buffer.from(`${brand}mif1`));
  const meta = (dataAt: number): Buffer => {
    let at = dataAt;
    const places = numbered.map(({ id, data }) => {
      const place = Buffer.concat([u16(id, 0, 1), u32(at, data.length)]);
      at += data.length;
      return place;
    });
    return fullBox(
      'meta',
      0,
      fullBox('hdlr', 0, u32(0), Buffer.from('pict'), u32(0, 0, 0), Buffer.alloc(1)),
      fullBox('pitm', 0, u16(1)),
      fullBox('iloc', 0, u16(0x4400, numbered.length), ...places),
      fullBox('iinf', 0, u16(numbered.length), ...infos),
      fullBox('iref', 0, ...references),
      box(
        'iprp',
        box('ipco', ...numbered.flatMap(({ properties }) => properties)),
        fullBox('ipma', 0, u32(numbered.length), ...associations),
      ),
    );
  };
  const dataAt = fileType.length + meta(0).length + 8;
  const data = box('mdat', ...numbered.map((item) => item.data));
  return Buffer.concat([fileType, meta(dataAt), data]);
}
