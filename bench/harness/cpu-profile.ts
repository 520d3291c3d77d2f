/** The parts of a `node --cpu-prof` file that are used here. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  /** Ids of nodes, one per sample. */
  readonly samples: readonly number[];
  /** Microseconds from each sample to the one before, the first from the start. */
  readonly timeDeltas: readonly number[];
  /** Microseconds of the clock that all processes share. */
  readonly startTime: number;
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

/** Assigns code locations to parts of the work: the innermost frame that matches a rule decides. */
const rules: readonly (readonly [RegExp, string])[] = [
  [/store\/(signed-url|one-shot-hmac|s3\/presigned)/, 'signed URLs'],
  [/(src\/auth\/|jsonwebtoken|jws|jwa)/, 'token check'],
  [/(src\/images\/(record|page-text|list\/record)|src\/paging\/raw-json|http\/envelope)/, 'JSON'],
  [/(src\/database\/|node_modules\/(pg|pg-protocol|pg-pool|typeorm)\/|queries\.js)/, 'SQL client'],
  [/(src\/imaging\/|src\/http-processes\/)/, 'hand-over to imaging'],
  [/(src\/store\/|write-hashed|node:internal\/fs|node:fs)/, 'files'],
  [/src\/http\/(form|multipart|upload|body)/, 'reading the body'],
  [/(src\/telemetry\/|winston|logform|triple-beam)/, 'log'],
  [/(src\/http\/|node_modules\/(express|router|zod)\/)/, 'HTTP'],
];
/** Frames of Node.js count as their caller; those without a caller come from a socket. */
const internals = /^node:/;
const other = 'other JavaScript';
/** Work without a JavaScript frame. */
const native: Readonly<Record<string, string>> = {
  '(garbage collector)': 'garbage collection',
  '(program)': 'Node.js and system calls',
};

/** Shares of the samples between two moments, by part of the work; idle time is left out. */
export function sharesOf(profile: CpuProfile, from: number, to: number): Map<string, number> {
  const partOf = partsByNode(profile.nodes);
  const counted = new Map<string, number>();
  let [at, total] = [profile.startTime, 0];
  profile.samples.forEach((id, i) => {
    const delta = profile.timeDeltas[i] ?? 0;
    at += delta;
    const part = partOf.get(id);
    if (part === undefined || at < from || at > to) return;
    counted.set(part, (counted.get(part) ?? 0) + delta);
    total += delta;
  });
  return new Map([...counted].map(([part, time]) => [part, time / total]));
}

/** Undefined for idle time. */
function partsByNode(nodes: readonly ProfileNode[]): Map<number, string | undefined> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parts = new Map<number, string | undefined>();
  const visit = (node: ProfileNode, inherited: string): void => {
    const { functionName, url } = node.callFrame;
    const fallback = inherited === other && internals.test(url) ? 'HTTP' : inherited;
    const matched = rules.find(([pattern]) => pattern.test(url))?.[1] ?? fallback;
    const idle = functionName === '(idle)';
    parts.set(node.id, idle ? undefined : (native[functionName] ?? matched));
    for (const child of node.children ?? []) {
      const found = byId.get(child);
      if (found) visit(found, matched);
    }
  };
  const root = nodes[0];
  if (root) visit(root, other);
  return parts;
}
