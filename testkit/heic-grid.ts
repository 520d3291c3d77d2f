import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** An image as phones write it: a grid of independently encoded tiles. */
export interface Grid {
  readonly width: number;
  readonly height: number;
  readonly tile: number;
  /** CRF of x265: 0 is lossless, 51 the coarsest. */
  readonly crf: number;
  /** Number of 90° counterclockwise rotations for display. */
  readonly quarterTurns?: number;
}

const startCode = Buffer.from([0, 0, 0, 1]);
const maxCodedBytes = 64 * 1024 * 1024;
const typeOf = (unit: Buffer): number => (unit.readUInt8(0) >> 1) & 0x3f;
const [vps, sps, pps] = [32, 33, 34];
const gridId = 1;

const u8 = (...values: number[]): Buffer => Buffer.from(values);
const u16 = (...values: number[]): Buffer =>
  Buffer.concat(values.map((value) => u8(value >> 8, value & 0xff)));
const u32 = (...values: number[]): Buffer =>
  Buffer.concat(values.map((value) => u16(Math.floor(value / 0x10000), value & 0xffff)));
const text = (value: string): Buffer => Buffer.from(value, 'latin1');

function box(type: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([u32(body.length + 8), text(type), body]);
}

/** The NAL units of the tiles in order, encoded by ffmpeg with x265. */
async function coded(picture: string, { width, height, tile, crf }: Grid): Promise<Buffer[]> {
  const [columns, rows] = [Math.ceil(width / tile), Math.ceil(height / tile)];
  const filters = [
    `scale=${width}:${height}:flags=lanczos`,
    `pad=${columns * tile}:${rows * tile}`,
    `untile=${columns}x${rows}`,
  ].join(',');
  const parameters = `crf=${crf}:keyint=1:info=0:repeat-headers=0:log-level=none`;
  const args = [
    '-v',
    'error',
    '-nostdin',
    '-i',
    picture,
    '-vf',
    filters,
    '-pix_fmt',
    'yuvj420p',
    '-c:v',
    'libx265',
    '-preset',
    'ultrafast',
    '-x265-params',
    parameters,
    '-f',
    'hevc',
    'pipe:1',
  ];
  const run = promisify(execFile);
  const { stdout } = await run('ffmpeg', args, { encoding: 'buffer', maxBuffer: maxCodedBytes });
  const units: Buffer[] = [];
  // Some start codes have three bytes; a longer one leaves a zero at the end of the previous unit.
  const at: number[] = [];
  for (let i = stdout.indexOf(startCode.subarray(1)); i >= 0;) {
    at.push(i + 3);
    i = stdout.indexOf(startCode.subarray(1), i + 3);
  }
  for (const [i, from] of at.entries()) {
    let to = (at[i + 1] ?? stdout.length + 3) - 3;
    while (stdout[to - 1] === 0) to--;
    units.push(stdout.subarray(from, to));
  }
  return units;
}

/** The decoder configuration of all tiles; its header repeats bytes of the sequence parameter set. */
function configuration(sets: readonly Buffer[]): Buffer {
  const sequence = sets.find((set) => typeOf(set) === sps) ?? Buffer.alloc(0);
  // Without the emulation prevention bytes.
  const plain = Buffer.from(text(sequence.toString('latin1').replaceAll('\0\0\x03', '\0\0')));
  const profile = plain.subarray(3, 15);
  const arrays = sets.map((set) => [u8(0x80 | typeOf(set)), u16(1, set.length), set]).flat();
  return box(
    'hvcC',
    u8(1),
    profile,
    u16(0xf000),
    u8(0xfc, 0xfd, 0xf8, 0xf8),
    u16(0),
    u8(0x0f),
    u8(sets.length),
    ...arrays,
  );
}

/** Encodes a picture as HEIC; needs `ffmpeg` with x265. */
export async function heicGrid(picture: string, grid: Grid): Promise<Buffer> {
  const units = await coded(picture, grid);
  const sets = [vps, sps, pps].map((type) => units.find((unit) => typeOf(unit) === type));
  const tiles = units
    .filter((unit) => typeOf(unit) < vps)
    .map((unit) => Buffer.concat([u32(unit.length), unit]));
  const config = configuration(sets.filter((set) => set !== undefined));
  return gridFile({ ...grid, coding: 'hvc1', brand: 'heic', config, tiles });
}

export interface CodedGrid extends Omit<Grid, 'crf'> {
  readonly coding: 'hvc1' | 'av01';
  readonly brand: 'heic' | 'avif';
  /** The box with the decoder configuration of all tiles. */
  readonly config: Buffer;
  readonly tiles: readonly Buffer[];
}

/** A file with coded tiles, in rows from the top left. */
export function gridFile(grid: CodedGrid): Buffer {
  const { width, height, tile, quarterTurns = 0, coding, brand, config, tiles } = grid;
  const ids = tiles.map((_, i) => gridId + 1 + i);
  const infe = (id: number, type: string): Buffer => box('infe', u32(0x02000000), u16(id, 0), text(`${type}\0`)); // prettier-ignore
  const ispe = (w: number, h: number): Buffer => box('ispe', u32(0, w, h));
  const properties = [config, ispe(tile, tile), ispe(width, height)];
  properties.push(box('irot', u8(quarterTurns)));
  const associations = [u16(gridId), u8(2, 3, 0x84)];
  for (const id of ids) associations.push(u16(id), u8(2, 0x81, 2));
  const layout = [Math.ceil(height / tile) - 1, Math.ceil(width / tile) - 1];
  const metaOf = (dataAt: number): Buffer => {
    const places = [u16(gridId, 1, 0, 1), u32(0, 8)];
    let at = dataAt;
    for (const [i, id] of ids.entries()) {
      const { length } = tiles[i] ?? u8();
      places.push(u16(id, 0, 0, 1), u32(at, length));
      at += length;
    }
    return box(
      'meta',
      u32(0),
      box('hdlr', u32(0, 0), text('pict'), u32(0, 0, 0), u8(0)),
      box('pitm', u32(0), u16(gridId)),
      box('iinf', u32(0), u16(ids.length + 1), infe(gridId, 'grid'), ...ids.map((id) => infe(id, coding))), // prettier-ignore
      box('iref', u32(0), box('dimg', u16(gridId, ids.length, ...ids))),
      box('iprp', box('ipco', ...properties), box('ipma', u32(0, ids.length + 1), ...associations)),
      box('iloc', u32(0x01000000), u16(0x4400, ids.length + 1), ...places),
      box('idat', u8(0, 0, ...layout), u16(width, height)),
    );
  };
  const head = box('ftyp', text(brand), u32(0), text(`mif1${brand}`));
  const dataAt = head.length + metaOf(0).length + 8;
  return Buffer.concat([head, metaOf(dataAt), box('mdat', ...tiles)]);
}
