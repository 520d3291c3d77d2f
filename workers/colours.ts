/**
 * What a file says about its colors, where libvips would not convert them by itself: the code points
 * of CICP (HEIF and AVIF, PNG), PNG's gamma and primaries, and ICC profiles at sixteen bits.
 */
import type { ImageFormat } from '../src/imaging/port.js';
import { pngChunks } from './containers.js';
import { colourCodesIn, heifItems } from './inspect/isobmff.js';
import { type FileBytes, type Source, withBytes } from './source.js';
import type { Pixels } from './pixels.js';

type Xy = readonly [x: number, y: number];
type Triple = readonly [number, number, number];

/** Chromaticities of white, red, green, and blue. */
type Primaries = readonly [Xy, Xy, Xy, Xy];

/** Light, 0 to 1, for a sample of 0 to 1. */
type Transfer = (sample: number) => number;

const d65: Xy = [0.3127, 0.329];
const illuminantC: Xy = [0.31, 0.316];
const bt709: Primaries = [d65, [0.64, 0.33], [0.3, 0.6], [0.15, 0.06]];
const smpte170: Primaries = [d65, [0.63, 0.34], [0.31, 0.595], [0.155, 0.07]];

/** By the numbers of ITU-T H.273; all others are taken for those of sRGB. */
const primariesOf = new Map<number, Primaries>([
  [4, [illuminantC, [0.67, 0.33], [0.21, 0.71], [0.14, 0.08]]],
  [5, [d65, [0.64, 0.33], [0.29, 0.6], [0.15, 0.06]]],
  [6, smpte170],
  [7, smpte170],
  [8, [illuminantC, [0.681, 0.319], [0.243, 0.692], [0.145, 0.049]]],
  [9, [d65, [0.708, 0.292], [0.17, 0.797], [0.131, 0.046]]],
  [11, [[0.314, 0.351], [0.68, 0.32], [0.265, 0.69], [0.15, 0.06]]], // prettier-ignore
  [12, [d65, [0.68, 0.32], [0.265, 0.69], [0.15, 0.06]]],
  [22, [d65, [0.63, 0.34], [0.295, 0.605], [0.155, 0.077]]],
]);

const power =
  (exponent: number): Transfer =>
  (sample) =>
    sample ** exponent;
const srgb: Transfer = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
const video: Transfer = (v) => (v < 0.081 ? v / 4.5 : ((v + 0.099) / 1.099) ** (1 / 0.45));

/** Nits of white on paper in HDR (ITU-R BT.2408); anything brighter is clipped. */
const paperWhite = 203;
const pq: Transfer = (v) => {
  const p = v ** (32 / 2523);
  const light = (Math.max(p - 0.8359375, 0) / (18.8515625 - 18.6875 * p)) ** (16384 / 2610);
  return Math.min(1, (light * 10_000) / paperWhite);
};
const hlgScene: Transfer = (v) =>
  v <= 0.5 ? v ** 2 / 3 : (Math.exp((v - 0.55991073) / 0.17883277) + 0.28466892) / 12;
/** Paper white is at 75 % of the signal. */
const hlg: Transfer = (v) => Math.min(1, hlgScene(v) / hlgScene(0.75));

/** By the numbers of ITU-T H.273; all others are taken for that of sRGB. */
const transferOf = new Map<number, Transfer>([
  ...[1, 6, 11, 12, 14, 15].map((code) => [code, video] as const),
  [4, power(2.2)],
  [5, power(2.8)],
  [7, (v) => (v < 0.0913 ? v / 4 : ((v + 0.1115) / 1.1115) ** (1 / 0.45))],
  [8, power(1)],
  [16, pq],
  [18, hlg],
]);

type Matrix = readonly [Triple, Triple, Triple];

const times = (m: Matrix, v: Triple): Triple => {
  const row = ([a, b, c]: Triple): number => a * v[0] + b * v[1] + c * v[2];
  return [row(m[0]), row(m[1]), row(m[2])];
};

function inverse([[a, b, c], [d, e, f], [g, h, i]]: Matrix): Matrix {
  const [A, B, C] = [e * i - f * h, f * g - d * i, d * h - e * g];
  const k = 1 / (a * A + b * B + c * C);
  return [
    [A * k, (c * h - b * i) * k, (b * f - c * e) * k],
    [B * k, (a * i - c * g) * k, (c * d - a * f) * k],
    [C * k, (b * g - a * h) * k, (a * e - b * d) * k],
  ];
}

const transposed = ([a, b, c]: Matrix): Matrix => [
  [a[0], b[0], c[0]],
  [a[1], b[1], c[1]],
  [a[2], b[2], c[2]],
];

const xyz = ([x, y]: Xy): Triple => [x / y, 1, (1 - x - y) / y];
const d50: Triple = [0.9642, 1, 0.8249];
const bradford: Matrix = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
];

/** The primaries as ICC profiles have them: relative to D50. */
function colorants([white, red, green, blue]: Primaries): Matrix {
  const columns = transposed([xyz(red), xyz(green), xyz(blue)]);
  const scale = times(inverse(columns), xyz(white));
  const [from, to] = [times(bradford, xyz(white)), times(bradford, d50)];
  return [red, green, blue].map((primary, i) => {
    const cone = times(bradford, xyz(primary));
    const adapted = cone.map((value, j) => (value * (to[j] ?? 0)) / (from[j] ?? 1));
    return times(inverse(bradford), adapted as unknown as Triple).map((v) => v * (scale[i] ?? 0));
  }) as unknown as Matrix;
}

/** How the samples of an RGB image become colors. */
export interface Colours {
  /** Of light to XYZ relative to D50; columns are red, green, and blue. */
  readonly toXyz: Matrix;
  readonly transfers: readonly [Transfer, Transfer, Transfer];
}

const coloursOf = (primaries: Primaries, transfer: Transfer): Colours => ({
  toXyz: transposed(colorants(primaries)),
  transfers: [transfer, transfer, transfer],
});

/** Numbers of ITU-T H.273; 2 is unspecified. */
interface Codes {
  readonly primaries: number;
  readonly transfer: number;
}

/** Those of sRGB, and none specified. */
const likeSrgb = { primaries: [1, 2], transfer: [2, 13] };

function ofCodes({ primaries, transfer }: Codes): Colours | undefined {
  if (likeSrgb.primaries.includes(primaries) && likeSrgb.transfer.includes(transfer)) {
    return undefined;
  }
  return coloursOf(primariesOf.get(primaries) ?? bt709, transferOf.get(transfer) ?? srgb);
}

function heifCodes(bytes: FileBytes): Codes | undefined {
  const items = heifItems(bytes);
  const primary = items?.get(items.primary);
  const part = items?.get(primary?.derivedFrom[0] ?? -1);
  return [primary, part]
    .flatMap((item) => item?.properties ?? [])
    .map((box) => colourCodesIn(bytes, box))
    .find((codes) => codes !== undefined);
}

const pngColours = ['cICP', 'iCCP', 'sRGB', 'gAMA', 'cHRM'];

/** The chunks about colors before the pixels. */
function colourChunks(bytes: FileBytes): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (const { type, start, length } of pngChunks(bytes)) {
    if (type === 'IDAT') break;
    // Of a profile only its presence matters here.
    const data = pngColours.includes(type) ? bytes.at(start, Math.min(length, 32)) : undefined;
    if (data && !found.has(type)) found.set(type, data);
  }
  return found;
}

/** What writers put as an approximation of sRGB. */
const srgbGamma = 45_455;
const usualChromaticities = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000];

/** In the order in which the PNG standard ranks them; an ICC profile is left to libvips. */
function ofPng(bytes: FileBytes): Colours | undefined {
  const chunks = colourChunks(bytes);
  const cicp = chunks.get('cICP');
  if (cicp && cicp.length >= 4) {
    return ofCodes({ primaries: cicp[0] ?? 2, transfer: cicp[1] ?? 2 });
  }
  if (chunks.has('iCCP') || chunks.has('sRGB')) return undefined;
  const [gama, chrm] = [chunks.get('gAMA'), chunks.get('cHRM')];
  const gamma = gama && gama.length >= 4 ? gama.readUInt32BE(0) : 0;
  const points =
    chrm && chrm.length >= 32
      ? usualChromaticities.map((_, i) => chrm.readUInt32BE(i * 4))
      : usualChromaticities;
  const usual = points.every((v, i) => Math.abs(v - (usualChromaticities[i] ?? 0)) <= 100);
  if (usual && (gamma === 0 || gamma === srgbGamma)) return undefined;
  const xy = (i: number): Xy => [(points[i] ?? 0) / 1e5, (points[i + 1] ?? 0) / 1e5];
  const primaries: Primaries = [xy(0), xy(2), xy(4), xy(6)];
  const colours = coloursOf(primaries, gamma === 0 ? srgb : power(1e5 / gamma));
  return colours.toXyz.flat().every(Number.isFinite) ? colours : undefined;
}

const profileHeaderBytes = 128;
const tagEntryBytes = 12;
const maxTags = 100;

/** The contents of the tags of an ICC profile. */
function tagsOf(icc: Buffer): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  if (icc.length < profileHeaderBytes + 4) return found;
  const count = Math.min(icc.readUInt32BE(profileHeaderBytes), maxTags);
  for (let i = 0, at = profileHeaderBytes + 4; i < count; i++, at += tagEntryBytes) {
    if (at + tagEntryBytes > icc.length) break;
    const [from, length] = [icc.readUInt32BE(at + 4), icc.readUInt32BE(at + 8)];
    found.set(icc.toString('latin1', at, at + 4), icc.subarray(from, from + length));
  }
  return found;
}

const fixed = (tag: Buffer, at: number): number => tag.readInt32BE(at) / 65_536;

/** Exponent, factor, and offset, then those of the lower part, by the kind of the curve. */
function parametric(tag: Buffer): Transfer | undefined {
  const kind = tag.readUInt16BE(8);
  const counts = [1, 3, 4, 5, 7];
  const values = Array.from({ length: counts[kind] ?? 0 }, (_, i) => fixed(tag, 12 + i * 4));
  const [g = 1, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = values;
  const base = (v: number): number => Math.max(0, a * v + b) ** g;
  switch (kind) {
    case 0:
      return power(g);
    case 1:
      return (v) => (v >= -b / a ? base(v) : 0);
    case 2:
      return (v) => (v >= -b / a ? base(v) + c : c);
    case 3:
      return (v) => (v >= d ? base(v) : c * v);
    case 4:
      return (v) => (v >= d ? base(v) + e : c * v + f);
    default:
      return undefined;
  }
}

function curveOf(tag: Buffer | undefined): Transfer | undefined {
  if (!tag || tag.length < 12) return undefined;
  const type = tag.toString('latin1', 0, 4);
  if (type === 'para') return parametric(tag);
  if (type !== 'curv') return undefined;
  const points = tag.readUInt32BE(8);
  if (points === 0) return power(1);
  if (points === 1) return power(tag.readUInt16BE(12) / 256);
  if (tag.length < 12 + points * 2) return undefined;
  const point = (i: number): number => tag.readUInt16BE(12 + Math.min(i, points - 1) * 2) / 65_535;
  return (v) => {
    const [at, part] = [Math.floor(v * (points - 1)), (v * (points - 1)) % 1];
    return point(at) * (1 - part) + point(at + 1) * part;
  };
}

/** Those of a profile with a curve per channel; others have tables, which only libvips reads. */
function ofIcc(icc: Buffer): Colours | undefined {
  const tags = tagsOf(icc);
  const grey = curveOf(tags.get('kTRC'));
  if (icc.toString('latin1', 16, 20) === 'GRAY') return grey && coloursOf(bt709, grey);
  if (tags.has('A2B0') || icc.toString('latin1', 16, 24) !== 'RGB XYZ ') return undefined;
  const names = ['r', 'g', 'b'];
  const curves = names.map((name) => curveOf(tags.get(`${name}TRC`)));
  const columns = names.map((name) => {
    const tag = tags.get(`${name}XYZ`);
    return tag && tag.length >= 20 ? [8, 12, 16].map((at) => fixed(tag, at)) : [];
  });
  if (curves.includes(undefined) || columns.flat().length !== 9) return undefined;
  return {
    toXyz: transposed(columns as unknown as Matrix),
    transfers: curves as unknown as Colours['transfers'],
  };
}

interface Described {
  readonly format: ImageFormat;
  readonly icc: Buffer | undefined;
  /** Whether samples have sixteen bits. */
  readonly deep: boolean;
}

/**
 * The colors of an image that libvips would not convert by itself. It does so by an ICC profile at
 * eight bits; at sixteen, by way of Display P3 and of a coarse table, and not if grey.
 *
 * @returns undefined for the colors of sRGB, and of profiles that only libvips reads.
 */
export function coloursIn(source: Source, { format, icc, deep }: Described): Colours | undefined {
  if (format === 'png') {
    const own = withBytes(source, ofPng);
    if (own) return own;
  }
  if (icc) return deep ? ofIcc(icc) : undefined;
  if (format !== 'heif' && format !== 'avif') return undefined;
  const codes = withBytes(source, heifCodes);
  return codes && ofCodes(codes);
}

const lightLevels = 65_536;
/** Of light of 0 to 65,535. */
let encoded: Uint8Array | undefined;

const makeEncoded = (): Uint8Array =>
  Uint8Array.from({ length: lightLevels }, (_, i) => {
    const v = i / (lightLevels - 1);
    return Math.round(255 * (v <= 0.0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055));
  });

function product(a: Matrix, b: Matrix): Matrix {
  const [x, y, z] = transposed(b);
  return transposed([times(a, x), times(a, y), times(a, z)]);
}

/** Light by sample; channels usually share a curve. */
function tableOf(transfer: Transfer, levels: number): Float32Array {
  return Float32Array.from({ length: levels }, (_, i) => {
    const light = transfer(i / (levels - 1));
    return Number.isFinite(light) ? light : 0;
  });
}

/** Of light, which may be beyond what sRGB has. */
const levelOf = (light: number): number =>
  light >= 1 ? lightLevels - 1 : light <= 0 ? 0 : (light * (lightLevels - 1) + 0.5) | 0;

/** Converts samples of eight bits, or of sixteen in the order of this machine, to sRGB. */
export function toSrgb(pixels: Pixels, { toXyz, transfers }: Colours, deep: boolean): Pixels {
  const { data: bytes, channels } = pixels;
  const samples = deep ? new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2) : bytes;
  const levels = deep ? 65_536 : 256;
  const [first] = transfers;
  const red = tableOf(first, levels);
  const [green, blue] = transfers
    .slice(1)
    .map((transfer) => (transfer === first ? red : tableOf(transfer, levels)));
  if (!green || !blue) return pixels;
  const [[rr, rg, rb], [gr, gg, gb], [br, bg, bb]] = product(
    inverse(transposed(colorants(bt709))),
    toXyz,
  );
  const table = (encoded ??= makeEncoded());
  const data = Buffer.allocUnsafeSlow(samples.length);
  // Every number by itself: lists of three would take several times as long.
  for (let at = 0; at < samples.length; at += channels) {
    const r = red[samples[at] as number] as number;
    const g = green[samples[at + 1] as number] as number;
    const b = blue[samples[at + 2] as number] as number;
    data[at] = table[levelOf(rr * r + rg * g + rb * b)] as number;
    data[at + 1] = table[levelOf(gr * r + gg * g + gb * b)] as number;
    data[at + 2] = table[levelOf(br * r + bg * g + bb * b)] as number;
    if (channels === 4) data[at + 3] = Math.round((samples[at + 3] ?? 0) / (deep ? 257 : 1));
  }
  return { ...pixels, data };
}
