// node verifier.mjs ACCESS.json: compares what an installation shows today with checkpoints of its log that somebody
// kept, and names what was changed. Written from RFC 6962, the texts of c2sp.org, and docs/custody.md: no line of
// imgstore is in it. ACCESS.json has { url, platform, token, users: { id: token }, key, kept: [{ at, checkpoint }] }:
// whom to ask as whom, the log's verifier key, and when which checkpoint was got. Time zone of the installation: UTC.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFile } from 'node:fs/promises';

const access = JSON.parse(await readFile(process.argv[2], 'utf8'));
const findings = [];
const name = (what, of = {}) => findings.push({ ...of, what });

const sha = (...parts) => parts.reduce((h, part) => h.update(part), createHash('sha256')).digest();
const hex = (bytes, from, to) => bytes.toString('hex', from, to);
const leafHash = (entry) => sha(Buffer.of(0), entry);
function treeHash(all, from = 0, to = all.length) {
  if (to - from < 2) return to === from ? sha() : all[from];
  const middle = from + 2 ** (31 - Math.clz32(to - from - 1));
  return sha(Buffer.of(1), treeHash(all, from, middle), treeHash(all, middle, to));
}

async function get(path, scheme, token) {
  const headers = { authorization: `${scheme} ${token}` };
  const answer = await fetch(new URL(path, access.url), scheme ? { headers } : {});
  if (!answer.ok) throw new Error(`${path.split('?')[0]} is answered with ${answer.status}`);
  return Buffer.from(await answer.arrayBuffer());
}
const ofLog = (path) => get(`/log/${access.platform}/${path}`, 'Platform', access.token);

function openCheckpoint(note) {
  const [, signer, id, base64] = /^(.+?)\+(.+?)\+(.+)$/.exec(access.key.trim());
  const x = Buffer.from(base64, 'base64').toString('base64url', 1);
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const text = note.slice(0, note.lastIndexOf('\n\n') + 1);
  const line = note.split('\n').find((one) => one.startsWith(`— ${signer} `)) ?? '';
  const signature = Buffer.from(line.split(' ')[2] ?? '', 'base64');
  if (hex(signature, 0, 4) !== id || !verify(null, Buffer.from(text), key, signature.subarray(4)))
    throw new Error('a checkpoint is not signed with the key of the log');
  const [origin, size, root] = text.split('\n');
  return { origin, size: Number(size), root };
}

async function tiles(level, count) {
  const read = [];
  for (let n = 0; n * 256 < count; n += 1) {
    const digits = String(n).padStart(Math.ceil(String(n).length / 3) * 3, '0');
    const part = count < (n + 1) * 256 ? `.p/${count % 256}` : '';
    read.push(await ofLog(`tile/${level}/${digits.replace(/\d{3}(?=\d)/g, 'x$&/')}${part}`));
  }
  return Buffer.concat(read);
}

/** Compares the log with its checkpoint, with its tiles, and with the checkpoints that were kept. */
async function readLog() {
  const head = openCheckpoint((await ofLog('checkpoint')).toString());
  const bytes = await tiles('entries', head.size);
  const [entries, roots] = [[], {}];
  for (let at = 0; at < bytes.length; at += 2 + bytes.readUInt16BE(at))
    entries.push(bytes.subarray(at + 2, at + 2 + bytes.readUInt16BE(at)));
  const leaves = entries.map(leafHash);
  const rootAt = (size) => (roots[size] ??= treeHash(leaves, 0, size).toString('base64'));
  if (entries.length !== head.size || rootAt(head.size) !== head.root)
    name('the log is not what its checkpoint signs');
  const kept = access.kept.map((one) => ({ ...openCheckpoint(one.checkpoint), at: one.at }));
  for (const { origin, size, root } of kept)
    if (origin !== head.origin || size > head.size || rootAt(size) !== root)
      name(`the log is another history than that of ${size} entries which was kept`);
  for (let level = 0, all = leaves; all.length > 0; level += 1) {
    const found = await tiles(level, all.length);
    if (!found.equals(Buffer.concat(all))) name(`a hash of level ${level} was changed`);
    all = all.flatMap((_, i) => (i % 256 === 255 ? [treeHash(all, i - 255, i + 1)] : []));
  }
  const places = new Map(leaves.map((hash, i) => [hex(hash), i]));
  return { size: head.size, entries, leaves, rootAt, kept, places, told: new Set() };
}

/** What happened to an image: the leaf of each entry of its proof, and what the image was like afterwards. */
function historyIn(proof, log) {
  const [head, body, ...rest] = proof.split('\n\n');
  const salt = Buffer.from(/^salt (\S+)$/m.exec(head)[1], 'base64');
  const { size, root } = openCheckpoint(rest.slice(-2).join('\n\n'));
  if (log.rootAt(size) !== root) throw new Error('its proof is of another history');
  let [hash, state] = [Buffer.alloc(32), new Map()];
  return body.split(/\n(?! )/).map((block) => {
    const [entry, ...lines] = block.split('\n');
    const said = lines.map((line) => line.trim().split(/ (.*)/));
    state = new Map([...state].filter(([word]) => word !== 'versions').concat(said));
    state.delete('text'); // of the address, whose hash is logged
    const stated = [...state].map(([word, value]) => `\n${word} ${value}`);
    hash = leafHash(Buffer.concat([hash, sha(salt, entry, ...stated)]));
    return { hash: hex(hash), at: Date.parse(entry.split(' ')[0]), state };
  });
}

/** What of the record, or the picture, is not what was logged last. */
async function differing(record, history) {
  const contents = history.map(({ state }) => state.get('content').split(' ')[1]);
  if (record.hashdata !== contents.at(-1)) return 'content';
  if (hex(sha(await get(record.org_path_url))) !== contents[0]) return 'picture';
  const fields = Object.keys(record).filter((field) => /^address_|^building_name$/.test(field));
  const parts = fields.map((field) => JSON.stringify(record[field]));
  const is = [
    ['place', record.lat === null ? '-' : `${record.lat} ${record.lng}`],
    ['address', parts.some((part) => part !== 'null') ? hex(sha(`[${parts.join(', ')}]`)) : '-'],
    ['folder', record.folder_id ?? '-'],
    ...['taken_at', 'created_at'].map((word) => [word, record[word] ?? '-']),
    ['trash', record.delete_at ?? '-'],
  ];
  const { state } = history.at(-1);
  const time = /^(\d{4})-(..)-(..)T(..):(..):(..).*/;
  return is.find(([word, to]) => state.get(word).replace(time, '$1$2$3_$4$5$6') !== to)?.[0];
}

async function checkImage(record, proof, log) {
  const history = historyIn(proof.toString(), log);
  for (const { hash, at } of history) {
    const place = log.places.get(hash);
    if (place === undefined) throw new Error('what its proof says is not in the log');
    log.told.add(place);
    if (log.kept.some((kept) => place >= kept.size && at < Date.parse(kept.at) - 600_000))
      throw new Error(`entry ${place} is dated back to when the log did not have it`);
  }
  const word = await differing(record, history);
  if (word) throw new Error(`its ${word} is not what was logged last`);
}

/** All images of a user, those in the trash as well. */
async function* images(user, token, trash = 'False', cursor = '') {
  const query = `has_delete_at=${trash}&page_size=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
  const { result } = JSON.parse(await get(`/api/v1/users/${user}/images?${query}`, 'User', token));
  yield* result.items;
  if (result.next_cursor !== null) yield* images(user, token, trash, result.next_cursor);
  else if (trash === 'False') yield* images(user, token, 'True');
}

const log = await readLog().catch((error) => void name(error.message));
const isWhole = findings.length === 0; // another history says nothing of what there was
for (const [user, token] of isWhole ? Object.entries(access.users) : []) {
  for await (const record of images(user, token)) {
    const path = `/api/v1/users/${user}/images/${record.id}/proof?full=True`;
    const check = get(path, 'User', token).then((proof) => checkImage(record, proof, log));
    await check.catch((error) => name(error.message, { image: record.id }));
  }
}
// Entries of deleted images are followed by others, up to the deletion.
const followed = new Set(log?.entries.map((entry) => hex(entry, 0, 32)));
for (const [i, entry] of isWhole ? log.entries.entries() : [])
  if (!log.told.has(i) && !followed.has(hex(log.leaves[i])) && hex(entry, 32) !== '0'.repeat(64))
    name('its image is gone without a deletion', { entry: i });
console.log(JSON.stringify({ entries: log?.size, findings }));
process.exitCode = findings.length > 0 ? 3 : 0;
