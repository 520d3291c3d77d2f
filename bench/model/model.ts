// What an installation needs, from what each step costs. Plain sums, of costs that were measured
// (docs/scaling.md says how well they meet what is measured).

/** Milliseconds of CPU time of one request. */
export interface StepCost {
  /** JavaScript, of which each HTTP process runs one at a time. */
  readonly script: number;
  /** Everything else on the node: decoding, encoding, hashing, files. */
  readonly beside: number;
  readonly database: number;
}

export type Step = 'upload' | 'page' | 'thumbnail' | 'change';

export interface Costs {
  readonly steps: Readonly<Record<Step, StepCost>>;
  /** Bytes of the database per image: rows and indexes, the feed, and texts. */
  readonly rowBytes: number;
  /** Bytes of the write-ahead log. */
  readonly walBytes: { readonly upload: number; readonly change: number };
  /** Bytes and number of an image's objects, and bytes of the answers. */
  readonly objectBytes: number;
  readonly objects: number;
  readonly answerBytes: { readonly page: number; readonly thumbnail: number };
}

/**
 * What `npm run bench -- --model --measure` found on the machine of docs/performance.md: two cores, on
 * which the database and the load generator ran, too. Pictures have 12 megapixels and
 * 2.5 MB. Rows are those of 1,000,000 seeded images; thumbnails of photographs, unlike that of the
 * bench's picture, have about 15 KB.
 */
export const costs: Costs = {
  steps: {
    upload: { script: 18.4, beside: 109.4, database: 5.3 },
    page: { script: 2.4, beside: 0.3, database: 1.3 },
    thumbnail: { script: 0.1, beside: 0, database: 0 },
    change: { script: 2, beside: 0, database: 1.5 },
  },
  rowBytes: 4300,
  walBytes: { upload: 9300, change: 2900 },
  objectBytes: 2_690_000,
  objects: 3,
  answerBytes: { page: 108_000, thumbnail: 15_000 },
};

export interface Demand {
  readonly users: number;
  readonly uploadsADay: number;
  /** Pages of 60 images, at the busiest time. */
  readonly readsASecond: number;
  /** Thumbnails that a page asks for: those that its client does not have yet. */
  readonly thumbnailsAPage: number;
  readonly changesAnUpload: number;
  /** Hours in which the uploads of a day arrive. */
  readonly busyHours: number;
  /** Days of uploads that are kept. */
  readonly days: number;
  /** Share of the users whose rows the database should have in memory. */
  readonly activeShare: number;
  readonly coresANode: number;
  readonly copies: number;
  readonly diskTb: number;
}

export interface Needs {
  readonly uploadsASecond: number;
  readonly nodeCores: number;
  /** Besides one more, so that one may fail. */
  readonly nodes: number;
  readonly httpProcesses: number;
  readonly databaseCores: number;
  readonly databaseMemoryGb: number;
  readonly databaseGb: number;
  readonly walGbADay: number;
  readonly connections: number;
  readonly images: number;
  readonly imagesAUser: number;
  readonly objects: number;
  readonly objectTb: number;
  readonly disks: number;
  readonly networkMbit: number;
}

/** How busy a core, and how full a disk, may be planned to be: what is left is for peaks and repairs. */
const busyAtMost = 0.7;
const fullAtMost = 0.75;
const gigabyte = 1e9;
/** Of PostgreSQL: for itself and each connection, as measured of its sessions. */
const baseMemoryGb = 1;
const connectionGb = 0.012;
/** `database.pool_size`, and the connections that each process has besides (docs/nodes.md). */
const poolSize = 16;
const besidePool = 3;

const daySeconds = 86_400;

/** Requests of each step in a second, at the busiest time. */
export const ratesOf = (demand: Demand): Record<Step, number> => {
  const upload = demand.uploadsADay / (demand.busyHours * 3600);
  return {
    upload,
    page: demand.readsASecond,
    thumbnail: demand.readsASecond * demand.thumbnailsAPage,
    change: upload * demand.changesAnUpload,
  };
};

/** Cores that are busy at these rates. */
export function coresAt(costs: Costs, rates: Readonly<Record<Step, number>>): StepCost {
  const total = (part: keyof StepCost): number =>
    (Object.keys(rates) as Step[]).reduce(
      (sum, step) => sum + (rates[step] * costs.steps[step][part]) / 1000,
      0,
    );
  return { script: total('script'), beside: total('beside'), database: total('database') };
}

const planned = (cores: number): number => Math.max(Math.ceil(cores / busyAtMost), 1);

export function needsOf(demand: Demand, costs: Costs): Needs {
  const rates = ratesOf(demand);
  const busy = coresAt(costs, rates);
  const nodeCores = planned(busy.script + busy.beside);
  const nodes = Math.ceil(nodeCores / demand.coresANode);
  const images = demand.uploadsADay * demand.days;
  const databaseGb = (images * costs.rowBytes) / gigabyte;
  const connections = (nodes + 1) * (poolSize + besidePool);
  const objectTb = (images * costs.objectBytes * demand.copies) / 1e12;
  const bytesASecond =
    rates.upload * costs.objectBytes * 2 + // received, and sent to the store
    rates.page * costs.answerBytes.page +
    rates.thumbnail * costs.answerBytes.thumbnail;
  const uploadsAverage = demand.uploadsADay / daySeconds;
  const walBytes =
    uploadsAverage * (costs.walBytes.upload + demand.changesAnUpload * costs.walBytes.change);
  return {
    uploadsASecond: rates.upload,
    nodeCores,
    nodes,
    httpProcesses: planned(busy.script),
    databaseCores: planned(busy.database),
    databaseMemoryGb: baseMemoryGb + connections * connectionGb + databaseGb * demand.activeShare,
    databaseGb,
    walGbADay: (walBytes * daySeconds) / gigabyte,
    connections,
    images,
    imagesAUser: Math.round(images / demand.users),
    objects: images * costs.objects,
    objectTb,
    disks: Math.max(Math.ceil(objectTb / (demand.diskTb * fullAtMost)), demand.copies),
    networkMbit: (bytesASecond * 8) / 1e6,
  };
}
