import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { once } from 'node:events';
import { storeSeeded, type MadeBackup } from '../testkit/backups.js';
import { CephStack } from '../testkit/ceph/stack.js';
import { start } from '../testkit/command.js';
import { residentMb } from '../testkit/memory.js';
import { withDescendants } from '../testkit/processes.js';
import { programs } from '../testkit/programs.js';
import { makeBucket, type BucketConfig } from '../testkit/s3.js';
import { behindGateway } from '../testkit/s3-gateway.js';
import { Started } from '../testkit/scope.js';
import { numberOf, readOptions } from '../testkit/script.js';
import { BenchService } from './harness/bench-service.js';
import { below } from './harness/cpu.js';
import { openDirectory, report } from './private-service.js';

/** Memory of a backup, in megabytes, however many objects there are. */
const mostMb = 200;

const usage = `Usage: npm run bench -- --backups [--images 333334] [--s3]

What a backup of a running service costs: the first one, and two more of the same objects, three of 4 KB for
each image. Exit code 1 if an unchanged backup copies objects, asks for single ones, or takes more memory than
${mostMb} MB.

  --images N   images (default: 333334, with a million objects)
  --s3         to a bucket, with the requests that it gets, instead of a directory`;

const given = readOptions(usage, {
  images: { type: 'string', default: '333334' },
  s3: { type: 'boolean', default: false },
});
const images = numberOf(['images', given.images], usage, 1);

const objectBytes = 4_000;
/** Keys in one page of a list. */
const pageSize = 1_000;
/** Requests for manifests, records, and marks. */
const fixedRequests = 50;

interface Cost {
  readonly made: MadeBackup;
  readonly seconds: number;
  /** CPU time of the command's processes, in seconds: a busy machine does not lengthen it. */
  readonly cpu: number;
  /** The peak of the command's processes together, in megabytes. */
  readonly memory: number;
  /** What they read of files, pipes, and sockets, in megabytes. */
  readonly read: number;
}

const sampleMs = 200;

/** Runs the command, and watches its processes. */
async function backUp(args: readonly string[], env: Record<string, string>): Promise<Cost> {
  const began = performance.now();
  const child = start(['backup', ...args, '--json'], { env });
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  const read = new Map<number, number>();
  let [memory, cpu] = [0, 0];
  while (child.exitCode === null && child.signalCode === null) {
    const pids = await withDescendants([child.pid ?? 0]);
    cpu = Math.max(cpu, await below(undefined, pids));
    memory = Math.max(memory, await residentMb(pids));
    for (const pid of pids) {
      const io = await readFile(`/proc/${pid}/io`, 'utf8').catch(() => '');
      const bytes = /^rchar: (\d+)/m.exec(io)?.[1];
      if (bytes !== undefined) read.set(pid, Number(bytes));
    }
    await new Promise((resolve) => setTimeout(resolve, sampleMs));
  }
  const seconds = (performance.now() - began) / 1000;
  const [stdout, stderr] = await ended;
  if (child.exitCode !== 0) throw new Error(`backup ended with ${child.exitCode}: ${stderr}`);
  const bytes = [...read.values()].reduce((sum, one) => sum + one, 0);
  const made = JSON.parse(stdout) as MadeBackup;
  return { made, seconds, cpu: cpu / 1000, memory, read: bytes / 1e6 };
}

const scope = new Started();
const dir = await openDirectory('imgstore-bench-backups-');
scope.after(() => rm(dir, { recursive: true, force: true }));

/** Requests to the bucket, by method. */
const requests = new Map<string, number>();

/** @returns the bucket behind a gateway that counts. */
async function countedBucket(): Promise<BucketConfig> {
  await programs.ceph.install(report);
  const ceph = await CephStack.start();
  scope.after(() => ceph.stop());
  const bucket = {
    endpoints: ceph.endpoints,
    ...ceph.keys,
    region: 'us-east-1',
    bucket: 'backups',
  };
  await makeBucket(bucket);
  const count = ({ method, url }: { method: string; url: string }): undefined => {
    const what = url.includes('list-type=2') ? 'list' : method;
    requests.set(what, (requests.get(what) ?? 0) + 1);
  };
  return behindGateway(scope, bucket, { request: count });
}

function expectUnchanged({ made, memory }: Cost): void {
  const asked = [...requests.values()].reduce((sum, one) => sum + one, 0);
  const most = made.objects / pageSize + fixedRequests;
  if (made.objects_reused === made.objects && asked <= most && memory <= mostMb) return;
  const copied = made.objects - made.objects_reused;
  console.log(`✖ ${copied} objects copied, ${asked} requests, ${memory} MB of memory`);
  process.exitCode = 1;
}

try {
  const bucket = given.s3 ? await countedBucket() : undefined;
  const service = await BenchService.open(join(dir, 'home'));
  scope.after(() => service.stop());
  report(`Making ${images} images`);
  await service.user(images);
  report(`Making ${await storeSeeded(service, objectBytes)} objects`);
  const to = bucket ? 's3://backups/bench' : join(dir, 'backups');
  const args = [to, '--home', service.home.dir];
  const env = {
    IMGSTORE_BACKUP_S3_ENDPOINT: bucket?.endpoints.join(',') ?? '',
    IMGSTORE_BACKUP_S3_ACCESS_KEY: bucket?.accessKey ?? '',
    IMGSTORE_BACKUP_S3_SECRET_KEY: bucket?.secretKey ?? '',
  };
  for (const name of ['first', 'unchanged', 'unchanged']) {
    requests.clear();
    const cost = await backUp(args, env);
    const { made, seconds, cpu, memory, read } = cost;
    const asked = [...requests].map(([what, times]) => `${times} ${what}`).join(', ');
    console.log(
      `${name}: ${made.objects} objects, ${made.objects_reused} reused, ${seconds.toFixed(1)} s, ` +
        `${cpu.toFixed(1)} s of CPU time, ` +
        `${read.toFixed(0)} MB read, ${memory} MB memory${bucket ? `, requests: ${asked}` : ''}`,
    );
    if (name === 'unchanged') expectUnchanged(cost);
  }
} finally {
  await scope.end();
}
