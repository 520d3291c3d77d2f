/**
 * What XMP says of a picture. Reads XML by hand, in one pass: every step goes forward, so that a
 * packet costs what its length does, whatever it contains.
 */
import type { CameraData } from './port.js';
import {
  accuracyFrom,
  altitudeFrom,
  cameraFrom,
  directionFrom,
  type OffsetSources,
  present,
  timeFrom,
} from './readings.js';

const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
/** The prefixes by which properties are asked for, by the namespaces that they stand for. */
const prefixOf = new Map([
  [rdf, 'rdf'],
  ['http://ns.adobe.com/exif/1.0/', 'exif'],
  ['http://ns.adobe.com/xap/1.0/', 'xmp'],
  ['http://ns.adobe.com/photoshop/1.0/', 'photoshop'],
  ['http://ns.adobe.com/tiff/1.0/', 'tiff'],
  ['http://www.dji.com/drone-dji/1.0/', 'drone-dji'],
]);

/** Below a property are at most a list, its entry, and the value of that. */
const maxDepth = 16;
/** Characters of a value; longer ones are no reading of a camera. */
const maxValue = 1_000;

/** What may surround the value of a property; anything else is a structure with a sense of its own. */
const wrappers = new Set(['rdf:Alt', 'rdf:Bag', 'rdf:Seq', 'rdf:li', 'rdf:Description', 'rdf:value']); // prettier-ignore

interface Element {
  readonly name: string;
  /** Namespaces that it declares, by prefix. */
  readonly declared: ReadonlyMap<string, string>;
  /** The property whose value stands here, if it is one or within it. */
  readonly property: string | undefined;
}

const nameStart = /[^\s<>/="']+/y;
const attribute = /\s*([^\s<>/="']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;
const tagEnd = /\s*(\/?)>/y;

/** Matches at one place only. */
function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** The properties of the picture itself, without those of other resources and of structures. */
class Properties {
  readonly found = new Map<string, string>();
  readonly #open: Element[] = [];
  /** Elements that are open below those. */
  #below = 0;

  /** Ends at the first thing that is not well-formed. */
  constructor(text: string) {
    for (let at = 0; ;) {
      const mark = text.indexOf('<', at);
      if (mark < 0) return;
      this.#addText(text, at, mark);
      const next = this.#markup(text, mark);
      if (next === undefined) return;
      at = next;
    }
  }

  /** @returns where it ends. */
  #markup(text: string, at: number): number | undefined {
    const until = (end: string): number | undefined => {
      const found = text.indexOf(end, at);
      return found < 0 ? undefined : found + end.length;
    };
    if (text.startsWith('<!--', at)) return until('-->');
    if (text.startsWith('<?', at)) return until('?>');
    if (text.startsWith('<![CDATA[', at)) {
      const end = until(']]>');
      if (end !== undefined) this.#addText(text, at + 9, end - 3, false);
      return end;
    }
    // Declarations of entities, which are known for attacks; no packet has them.
    if (text.startsWith('<!', at)) return undefined;
    if (!text.startsWith('</', at)) return this.#start(text, at + 1);
    if (this.#below > 0) this.#below--;
    else this.#open.pop();
    return until('>');
  }

  #start(text: string, at: number): number | undefined {
    const name = matchAt(nameStart, text, at)?.[0];
    if (name === undefined) return undefined;
    const attributes: [name: string, value: string][] = [];
    const declared = new Map<string, string>();
    for (at += name.length; ;) {
      const match = matchAt(attribute, text, at);
      if (match === null) break;
      at = attribute.lastIndex;
      const [, key = '', value = match[3] ?? ''] = match;
      if (key.startsWith('xmlns:')) declared.set(key.slice('xmlns:'.length), value);
      else if (value.length <= maxValue) attributes.push([key, value]);
    }
    const end = matchAt(tagEnd, text, at);
    if (end === null) return undefined;
    const isOpen = end[1] === '';
    if (this.#open.length >= maxDepth) this.#below += isOpen ? 1 : 0;
    else {
      this.#enter(name, declared, attributes);
      if (!isOpen) this.#open.pop();
    }
    return at + end[0].length;
  }

  #enter(
    written: string,
    declared: ReadonlyMap<string, string>,
    attributes: readonly (readonly [string, string])[],
  ): void {
    const [parent, above] = [this.#open.at(-1), this.#open.at(-2)];
    const isSubject = parent?.name === 'rdf:Description' && above?.name === 'rdf:RDF';
    this.#open.push({ name: '', declared, property: undefined });
    const name = this.#known(written);
    const inherited = wrappers.has(name) ? parent?.property : undefined;
    const property = isSubject ? name : inherited;
    this.#open.splice(-1, 1, { name, declared, property });
    const isDescription = name === 'rdf:Description' && parent?.name === 'rdf:RDF';
    for (const [key, value] of attributes) {
      const known = this.#known(key);
      if (isDescription) this.#add(known, decoded(value));
      else if (property !== undefined && known === 'rdf:value') this.#add(property, decoded(value));
    }
  }

  /** A name with the prefix that is known for its namespace; as written if that is not declared. */
  #known(name: string): string {
    const colon = name.indexOf(':');
    if (colon < 0) return name;
    const prefix = name.slice(0, colon);
    const uri = this.#open.findLast(({ declared }) => declared.has(prefix))?.declared.get(prefix);
    const known = uri === undefined ? prefix : (prefixOf.get(uri) ?? uri);
    return known === prefix ? name : `${known}:${name.slice(colon + 1)}`;
  }

  #addText(text: string, from: number, to: number, isEncoded = true): void {
    const property = this.#below > 0 ? undefined : this.#open.at(-1)?.property;
    if (property === undefined || to - from > maxValue) return;
    const value = text.slice(from, to);
    this.#add(property, isEncoded ? decoded(value) : value);
  }

  /** The first value counts: of a list its first entry, of languages the default. */
  #add(property: string, value: string): void {
    const trimmed = value.trim();
    if (trimmed !== '' && !this.found.has(property)) this.found.set(property, trimmed);
  }
}

const entities = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['amp', '&'],
]);

function decoded(text: string): string {
  return text.replaceAll(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]{2,4}));/gi, (whole, ...parts) => {
    const [hexadecimal, decimal, name] = parts as (string | undefined)[];
    if (name !== undefined) return entities.get(name) ?? whole;
    const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Properties for the time when it was taken, the most exact first. */
const times = [
  'exif:DateTimeOriginal',
  'photoshop:DateCreated',
  'exif:DateTimeDigitized',
  'xmp:CreateDate',
  'xap:CreateDate',
];

/** The properties that state each, without what may precede their names. */
const namesOf = {
  coordinates: ['Latitude'],
  taken: ['DateTimeOriginal', 'DateCreated', 'DateTimeDigitized', 'CreateDate'],
  direction: ['GPSImgDirection'],
  altitude: ['GPSAltitude', 'AbsoluteAltitude'],
  accuracy: ['GPSHPositioningError'],
  camera: ['Make', 'Model'],
} as const;

/** Whether a packet may state any of these: most need not be parsed. */
export const mayState = (packet: Buffer, wanted: readonly (keyof typeof namesOf)[]): boolean =>
  wanted.some((key) => namesOf[key].some((name) => packet.includes(name)));

/**
 * `48,51.5N`, `48,51,30N`, or a number of degrees, as some drones write it: signed, or with the
 * hemisphere in a property of its own.
 */
function degrees(
  text: string | undefined,
  ref: string | undefined,
  hemispheres: string,
  limit: number,
): number | undefined {
  const parts = /^([+-]?\d+(?:\.\d+)?)(?:,(\d+(?:\.\d+)?)(?:,(\d+(?:\.\d+)?))?)?([NSEW]?)$/i.exec(
    (text ?? '').replaceAll(/(?<=[,.\d])\s+(?=[NSEW]$)|(?<=,)\s+/gi, ''),
  );
  if (!parts) return undefined;
  const [d = NaN, m = 0, s = 0] = parts.slice(1, 4).map((part) => Number(part ?? 0));
  const letter = (parts[4] || (ref ?? '').slice(0, 1)).toUpperCase();
  const size = Math.abs(d) + m / 60 + s / 3600;
  if (!hemispheres.includes(letter) || !(size <= limit)) return undefined;
  const isNegative = letter === '' ? d < 0 : letter === hemispheres[1];
  // A letter says where; some writers sign the number as well.
  return isNegative || (parts[4] !== '' && d < 0) ? 0 - size : size;
}

/** `2405/10`, or a decimal number. */
function numberFrom(text: string | undefined): number | undefined {
  const parts = /^([+-]?\d+(?:\.\d+)?)(?:\/(\d+(?:\.\d+)?))?$/.exec(text ?? '');
  return parts ? Number(parts[1]) / Number(parts[2] ?? 1) : undefined;
}

/** What an XMP packet says; nothing if it is something else. */
export function readXmp(packet: string): CameraData & OffsetSources {
  const { found } = new Properties(packet);
  const one = (...names: readonly string[]): string | undefined =>
    names.map((name) => found.get(name)).find((text) => text !== undefined);
  const number = (name: string): number | undefined => numberFrom(one(name));
  const place = (latitudes: string[], longitudes: string[]): CameraData['coordinates'] => {
    const ref = (names: string[]): string | undefined => one(...names.map((name) => `${name}Ref`));
    const latitude = degrees(one(...latitudes), ref(latitudes), 'NS', 90);
    const longitude = degrees(one(...longitudes), ref(longitudes), 'EW', 180);
    const isPlace = latitude !== undefined && longitude !== undefined;
    return isPlace ? { latitude, longitude } : undefined;
  };
  const ofExif = place(['exif:GPSLatitude'], ['exif:GPSLongitude']);
  const drone = ['drone-dji:GpsLongitude', 'drone-dji:GpsLongtitude'];
  const ofDrone = ofExif ? undefined : place(['drone-dji:GpsLatitude'], drone);
  return present({
    coordinates: ofExif ?? ofDrone,
    taken: times.map((name) => timeFrom(one(name))).find(Boolean),
    gpsTime: timeFrom(one('exif:GPSTimeStamp', 'exif:GPSDateTime'))?.wallTime,
    direction: directionFrom(number('exif:GPSImgDirection')),
    altitude:
      altitudeFrom(number('exif:GPSAltitude'), number('exif:GPSAltitudeRef')) ??
      (ofDrone && altitudeFrom(number('drone-dji:AbsoluteAltitude'))),
    accuracy: accuracyFrom(number('exif:GPSHPositioningError')),
    camera: cameraFrom(one('tiff:Make'), one('tiff:Model')),
  });
}
