import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';

// A reader and forger of logs, written from the texts of c2sp.org (tlog-tiles, tlog-checkpoint, signed-note) and RFC 6962
// alone: nothing of imgstore is in it, so that both would have to have the same mistake.

type Get = (path: string) => Promise<Buffer>;

export interface TreeHead {
  readonly origin: string;
  readonly size: number;
  readonly root: string;
}

const sha = (...parts: (string | Uint8Array)[]): Buffer =>
  parts
    .reduce<ReturnType<typeof createHash>>((h, part) => h.update(part), createHash('sha256'))
    .digest();

/** The tree head that a checkpoint signs. @throws Error unless it is signed with the key. */
export function openCheckpoint(note: string, vkey: string): TreeHead {
  const [name = '', hash = '', ...key] = vkey.trim().split('+');
  const typed = Buffer.from(key.join('+'), 'base64');
  if (typed.length !== 33 || typed[0] !== 1) throw new Error('not a key of Ed25519');
  const id = sha(name, '\n', typed).subarray(0, 4);
  if (id.toString('hex') !== hash) throw new Error('the key has another id');
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), typed.subarray(1)]);
  const by = createPublicKey({ key: spki, format: 'der', type: 'spki' });
  const cut = note.lastIndexOf('\n\n');
  const text = note.slice(0, cut + 1);
  const signatures = note.slice(cut + 2).split('\n');
  const signed = signatures.some((line) => {
    const [dash, signer, base64 = ''] = line.split(' ');
    const bytes = Buffer.from(base64, 'base64');
    const isOurs = dash === '\u2014' && signer === name && bytes.subarray(0, 4).equals(id);
    return isOurs && verify(null, Buffer.from(text), by, bytes.subarray(4));
  });
  if (!signed) throw new Error('not signed');
  const [origin = '', size = '', root = '', end] = text.split('\n');
  if (end !== '' || !/^(0|[1-9]\d*)$/.test(size)) throw new Error('not a checkpoint');
  return { origin, size: Number(size), root };
}

/** N of a tile: `x001/x234/067`. */
function spelled(n: number): string {
  const last = String(n % 1000).padStart(3, '0');
  let rest = Math.floor(n / 1000);
  let path = last;
  for (; rest > 0; rest = Math.floor(rest / 1000))
    path = `x${String(rest % 1000).padStart(3, '0')}/${path}`;
  return path;
}

/** The paths of the tiles of a level, with their widths. */
function tilesOf(prefix: string, count: number): { path: string; width: number }[] {
  const full = Array.from({ length: Math.floor(count / 256) }, (_, n) => ({
    path: `${prefix}/${spelled(n)}`,
    width: 256,
  }));
  const rest = count % 256;
  return rest === 0
    ? full
    : [...full, { path: `${prefix}/${spelled(full.length)}.p/${rest}`, width: rest }];
}

/** The hash of an entry's leaf (RFC 6962, 2.1). */
export const hashOfEntry = (entry: Uint8Array): Buffer => sha(Buffer.of(0), entry);

/** Merkle tree hash (RFC 6962, 2.1) of hashes of leaves. */
function treeHash(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return sha();
  if (leaves.length === 1) return leaves[0] as Buffer;
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  return sha(Buffer.of(1), treeHash(leaves.slice(0, k)), treeHash(leaves.slice(k)));
}

const pieces = (tile: Buffer): Buffer[] =>
  Array.from({ length: tile.length / 32 }, (_, i) => tile.subarray(i * 32, i * 32 + 32));

/**
 * Reads a log whole, and checks that its entries are what the checkpoint says, and every tile what it has to be.
 * @returns its entries.
 */
export async function readLog(get: Get, head: TreeHead): Promise<Buffer[]> {
  const entries: Buffer[] = [];
  for (const { path, width } of tilesOf('tile/entries', head.size)) {
    const bundle = await get(path);
    let at = 0;
    for (let i = 0; i < width; i += 1) {
      const length = bundle.readUInt16BE(at);
      entries.push(bundle.subarray(at + 2, at + 2 + length));
      at += 2 + length;
    }
    if (at !== bundle.length) throw new Error(`${path} has more than its entries`);
  }
  const leaves = entries.map(hashOfEntry);
  if (treeHash(leaves).toString('base64') !== head.root) throw new Error('the root is another one');
  let level = leaves;
  for (let l = 0; level.length > 0; l += 1) {
    const found: Buffer[] = [];
    for (const { path, width } of tilesOf(`tile/${l}`, level.length)) {
      const tile = await get(path);
      if (tile.length !== width * 32) throw new Error(`${path} has another width`);
      found.push(...pieces(tile));
    }
    if (!Buffer.concat(found).equals(Buffer.concat(level))) throw new Error(`level ${l} differs`);
    level = Array.from({ length: Math.floor(level.length / 256) }, (_, n) =>
      treeHash(found.slice(n * 256, n * 256 + 256)),
    );
  }
  return entries;
}

/** The root that the first entries of a log have: that of an earlier checkpoint. */
export const rootAt = (entries: readonly Buffer[], size: number): string =>
  treeHash(entries.slice(0, size).map(hashOfEntry)).toString('base64');

/** Whether a c2sp.org/tlog-proof, whose entry is known, leads to its checkpoint. */
export function checkTlogProof(proof: string, entry: Buffer, vkey: string): TreeHead {
  const [head = '', ...note] = proof.split('\n\n');
  const [version, index = '', ...path] = head
    .split('\n')
    .filter((line) => !line.startsWith('extra '));
  if (version !== 'c2sp.org/tlog-proof@v1') throw new Error('not a proof');
  const tree = openCheckpoint(note.join('\n\n'), vkey);
  let [fn, sn] = [Number(index.replace(/^index /, '')), tree.size - 1];
  if (!(fn <= sn)) throw new Error('beyond the tree');
  let root = hashOfEntry(entry);
  // RFC 9162, 2.1.3.2.
  for (const p of path.map((base64) => Buffer.from(base64, 'base64'))) {
    if (sn === 0) throw new Error('the path is too long');
    if (fn % 2 === 1 || fn === sn) {
      root = sha(Buffer.of(1), p, root);
      for (; fn % 2 === 0 && fn !== 0; fn /= 2) sn = Math.floor(sn / 2);
    } else root = sha(Buffer.of(1), root, p);
    [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  }
  if (sn !== 0 || root.toString('base64') !== tree.root) throw new Error('leads elsewhere');
  return tree;
}

/** The tiles of a log of these entries; those of level -1 are bundles of entries. */
export function tilesFor(entries: readonly Buffer[]): { level: number; n: number; data: Buffer }[] {
  const framed = entries.map((entry) => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(entry.length);
    return Buffer.concat([length, entry]);
  });
  const tiles: { level: number; n: number; data: Buffer }[] = [];
  const cut = (level: number, all: readonly Buffer[]): void => {
    for (let n = 0; n * 256 < all.length; n += 1)
      tiles.push({ level, n, data: Buffer.concat(all.slice(n * 256, n * 256 + 256)) });
  };
  cut(-1, framed);
  let level = entries.map(hashOfEntry);
  for (let l = 0; level.length > 0; l += 1) {
    cut(l, level);
    const full = level;
    level = Array.from({ length: Math.floor(full.length / 256) }, (_, n) =>
      treeHash(full.slice(n * 256, n * 256 + 256)),
    );
  }
  return tiles;
}

/** A checkpoint of these entries, and the key that verifies it. @param seed the private key. */
export function signedCheckpoint(
  origin: string,
  entries: readonly Buffer[],
  seed: Uint8Array,
): { checkpoint: string; vkey: string } {
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  const typed = Buffer.concat([Buffer.of(1), spki.subarray(-32)]);
  const id = sha(origin, '\n', typed).subarray(0, 4);
  const text = `${origin}\n${entries.length}\n${rootAt(entries, entries.length)}\n`;
  const signature = Buffer.concat([id, sign(null, Buffer.from(text), key)]).toString('base64');
  return {
    checkpoint: `${text}\n\u2014 ${origin} ${signature}\n`,
    vkey: `${origin}+${id.toString('hex')}+${typed.toString('base64')}`,
  };
}
