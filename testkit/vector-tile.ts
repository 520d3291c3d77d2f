/** A feature of a vector tile, with its point in tile units. */
export interface TileFeature {
  readonly layer: string;
  readonly x: number;
  readonly y: number;
  readonly properties: Readonly<Record<string, string | number | boolean>>;
}

type Field = readonly [number: number, value: bigint | Buffer];

/** The fields of a protobuf message: varints, and all other types as bytes. */
function fieldsOf(bytes: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++] ?? 0;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const wire = tag & 7;
    if (wire === 0) fields.push([tag >> 3, varint()]);
    else {
      const length = wire === 2 ? Number(varint()) : wire === 1 ? 8 : 4;
      fields.push([tag >> 3, bytes.subarray(at, at + length)]);
      at += length;
    }
  }
  return fields;
}

const signed = (value: bigint): number => Number((value >> 1n) ^ -(value & 1n));

const all = (fields: readonly Field[], number: number): Buffer[] =>
  fields.flatMap(([n, value]) => (n === number && typeof value !== 'bigint' ? [value] : []));

function packed(bytes: Buffer | undefined): bigint[] {
  if (!bytes) return [];
  const values: bigint[] = [];
  let [value, shift] = [0n, 0n];
  for (const byte of bytes) {
    value |= BigInt(byte & 127) << shift;
    shift += 7n;
    if (byte < 128) [value, shift] = [0n * BigInt(values.push(value)), 0n];
  }
  return values;
}

/** Decodes a value: text, double, integer, or boolean. */
function valueOf(bytes: Buffer): string | number | boolean {
  const [[number, value] = [0, 0n]] = fieldsOf(bytes);
  if (typeof value !== 'bigint') return number === 3 ? value.readDoubleLE() : value.toString();
  return number === 7 ? value === 1n : number === 6 ? signed(value) : Number(value);
}

/** All features of a Mapbox vector tile that contains only points. */
export function tileFeatures(tile: Buffer): TileFeature[] {
  return all(fieldsOf(tile), 3).flatMap((bytes) => {
    const layer = fieldsOf(bytes);
    const name = all(layer, 1)[0]?.toString() ?? '';
    const keys = all(layer, 3).map(String);
    const values = all(layer, 4).map(valueOf);
    return all(layer, 2).map((feature) => {
      const fields = fieldsOf(feature);
      const tags = packed(all(fields, 2)[0]).map(Number);
      const [, x = 0n, y = 0n] = packed(all(fields, 4)[0]);
      const properties: Record<string, string | number | boolean> = {};
      for (let n = 0; n < tags.length; n += 2) {
        properties[keys[tags[n] ?? 0] ?? ''] = values[tags[n + 1] ?? 0] ?? '';
      }
      return { layer: name, x: signed(x), y: signed(y), properties };
    });
  });
}
