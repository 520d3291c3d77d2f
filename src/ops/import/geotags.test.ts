import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WallClock } from '../../base/time.js';
import { readTakeout, xmpGeotag } from './geotags.js';

const seoul = new WallClock('Asia/Seoul');

const packet = (attributes: string, elements = ''): string => `<?xpacket begin=""?>
  <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description rdf:about="" ${attributes}>${elements}</rdf:Description>
  </rdf:RDF></x:xmpmeta>`;

test('attributes, as darktable and Lightroom write them', () => {
  const text = packet(
    'exif:GPSLatitude="37,33.99N" exif:GPSLongitude="126,58.5E" exif:DateTimeOriginal="2024-03-01T10:11:12.5"',
  );
  assert.deepEqual(xmpGeotag(text, seoul), {
    coordinates: { latitude: 37 + 33.99 / 60, longitude: 126.975 },
    time: new Date('2024-03-01T01:11:12Z'),
  });
});

test('elements, as digiKam and exiftool write them; south and west, seconds, an offset', () => {
  const text = packet(
    '',
    `<exif:GPSLatitude>33,30,36S</exif:GPSLatitude><exif:GPSLongitude>70,39,0W</exif:GPSLongitude>
     <photoshop:DateCreated>2024-03-01T10:11-03:00</photoshop:DateCreated>`,
  );
  const { coordinates, time } = xmpGeotag(text, seoul);
  assert.deepEqual(coordinates, { latitude: -33.51, longitude: -70.65 });
  assert.deepEqual(time, new Date('2024-03-01T13:11:00Z'));
});

test('what stands in the file of the picture is read alike: prefixes, spaces, entities, references', () => {
  const text = packet(
    'xmlns:e="http://ns.adobe.com/exif/1.0/" e:GPSLatitude="37.5" e:GPSLatitudeRef="S" e:GPSLongitude="126, 58.5 E"',
    '<e:DateTimeOriginal>2024&#45;03-01T10:11:12&#x2B;01:00</e:DateTimeOriginal>',
  );
  assert.deepEqual(xmpGeotag(text, seoul), {
    coordinates: { latitude: -37.5, longitude: 126.975 },
    time: new Date('2024-03-01T09:11:12Z'),
  });
});

for (const [what, text] of [
  ['something else', 'hello'],
  [
    'the place that a picture shows',
    packet(
      '',
      `<Iptc4xmpExt:LocationShown><rdf:Bag><rdf:li rdf:parseType="Resource">
         <exif:GPSLatitude>37,33N</exif:GPSLatitude><exif:GPSLongitude>1,1E</exif:GPSLongitude>
         <xmp:CreateDate>2024-03-01T10:11:12Z</xmp:CreateDate></rdf:li></rdf:Bag></Iptc4xmpExt:LocationShown>`,
    ),
  ],
  ['a truncated file', packet('exif:GPSLatitude="37,33N"').slice(0, 150)],
  ['a latitude alone', packet('exif:GPSLatitude="37,33N"')],
  [
    'impossible numbers',
    packet(
      'exif:GPSLatitude="97,33N" exif:GPSLongitude="1,1E" xmp:CreateDate="2024-99-99T99:99:99Z"',
    ),
  ],
  [
    'an entity bomb',
    `<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${packet('xmp:CreateDate="&b;"')}`,
  ],
] as const) {
  test(`${what} yields nothing`, () => {
    assert.deepEqual(xmpGeotag(text, seoul).coordinates, undefined);
    assert.deepEqual(xmpGeotag(text, seoul).time, undefined);
  });
}

test('time and coordinates are read; 0, 0 means no coordinates', () => {
  const photoTakenTime = { timestamp: '1709287872', formatted: '2024. 3. 1.' };
  const geoData = { latitude: 37.5, longitude: 127, altitude: 0 };
  const none = { latitude: 0, longitude: 0 };
  assert.deepEqual(readTakeout(JSON.stringify({ photoTakenTime, geoData })), {
    coordinates: { latitude: 37.5, longitude: 127 },
    time: new Date('2024-03-01T10:11:12Z'),
  });
  const exif = JSON.stringify({ geoData: none, geoDataExif: geoData });
  assert.deepEqual(readTakeout(exif).coordinates, { latitude: 37.5, longitude: 127 });
  assert.deepEqual(readTakeout(JSON.stringify({ geoData: none })), {
    coordinates: undefined,
    time: undefined,
  });
});

for (const text of [
  '',
  '{',
  '[]',
  'null',
  '{"photoTakenTime":"x","geoData":[1]}',
  '{"geoData":{"latitude":91,"longitude":1}}',
]) {
  test(`${text} yields nothing`, () => {
    assert.deepEqual(readTakeout(text), { coordinates: undefined, time: undefined });
  });
}
