import { createHash } from 'node:crypto';
import type { ObjectStore } from '../../store/port.js';
import { atMostEach } from '../../base/concurrency.js';
import { secondMs } from '../../base/units.js';
import type { ExportPlan, Planned } from './plan.js';
import type { Sink } from './sink.js';

/** Between two reports of the progress. */
const reportMs = 5 * secondMs;

export interface Written {
  readonly files: number;
  readonly bytes: number;
  /** Of these, files that an earlier run had written. */
  readonly there: number;
  /** Files whose object is missing or damaged. */
  readonly damaged: readonly { readonly path: string; readonly problem: string }[];
}

interface WriteParts {
  readonly plan: ExportPlan;
  readonly sink: Sink;
  readonly store: Pick<ObjectStore, 'get'>;
  readonly signal: AbortSignal;
  readonly report: (written: Written) => void;
}

type PlannedFile = Extract<Planned, { key: string }>;

/** Writes all files of a plan; a manifest comes after the files that it describes. */
export async function writeExport(parts: WriteParts): Promise<Written> {
  const { plan, sink, signal } = parts;
  const report = atMostEach(reportMs, parts.report);
  const damaged: { path: string; problem: string }[] = [];
  let written: Written = { files: 0, bytes: 0, there: 0, damaged };
  for await (const one of plan.planned()) {
    signal.throwIfAborted();
    if (!('key' in one)) {
      await writeOther(parts, one);
      continue;
    }
    const outcome = await writeFile(parts, one);
    if (outcome !== 'written' && outcome !== 'there') damaged.push(outcome);
    written = {
      files: written.files + 1,
      bytes: written.bytes + one.bytes,
      there: written.there + (outcome === 'there' ? 1 : 0),
      damaged,
    };
    report(() => written);
  }
  await sink.finish();
  return written;
}

/** A table or a manifest. */
async function writeOther(
  { plan, sink }: WriteParts,
  one: Exclude<Planned, PlannedFile>,
): Promise<void> {
  const modified = new Date();
  if ('table' in one) {
    const { table, path, start, end } = one;
    const content = plan.tableBytes(table, start, end);
    await sink.add({ path, bytes: end - start, modified, content });
  } else {
    const text = Buffer.from(`${JSON.stringify(one.manifest, null, 2)}\n`);
    const content = oneByOne(text);
    await sink.add({ path: one.path, bytes: text.length, modified, content });
  }
}

async function writeFile(parts: WriteParts, file: PlannedFile) {
  const { sink } = parts;
  if (await sink.has(file)) return 'there';
  const outcome = await writeOnce(parts, file);
  if (outcome !== 'damaged') return outcome;
  // A bit may have changed on the way.
  if (sink.canReplace && (await writeOnce(parts, file)) === 'written') return 'written';
  await sink.setAside(file.path);
  return { path: file.path, problem: 'its object has the wrong hash' };
}

async function writeOnce({ sink, store, signal }: WriteParts, file: PlannedFile) {
  const { key, path, bytes, modified } = file;
  const body = await store.get(key);
  if (!body) return { path, problem: 'its object is missing' };
  if (body.bytes !== bytes) {
    body.stream.destroy();
    return { path, problem: `its object has ${body.bytes} bytes instead of ${bytes}` };
  }
  const hash = createHash('sha256');
  const content = (async function* () {
    for await (const chunk of body.stream as AsyncIterable<Buffer>) {
      signal.throwIfAborted();
      hash.update(chunk);
      yield chunk;
    }
  })();
  await sink.add({ path, bytes, modified: new Date(modified), content });
  return hash.digest('hex') === file.hash ? 'written' : 'damaged';
}

async function* oneByOne(text: Buffer): AsyncGenerator<Buffer> {
  yield text;
}
