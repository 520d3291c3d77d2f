import { done } from '../../testkit/expect.js';
import type { CreatedPlatform } from '../../testkit/records.js';
import { Tenant, unique } from '../../testkit/world.js';
import { auditPlatform, auditUser } from './audit.js';
import { folderSteps } from './steps/folders.js';
import { groupSteps } from './steps/groups.js';
import { imageSteps } from './steps/images.js';
import { listSteps } from './steps/lists.js';
import { noteSteps } from './steps/notes.js';
import { platformSteps } from './steps/platforms.js';
import { searchSteps } from './steps/searches.js';
import { unauthorizedSteps } from './steps/unauthorized.js';
import { uploadSteps } from './steps/uploads.js';
import type { Random } from '../../testkit/random.js';
import type { Step } from './step.js';
import { Pictures } from './pictures.js';
import { CrossTalk, SimulatedUser } from './simulated-user.js';
import { CountingClient, RequestCounts } from './request-counts.js';

export interface SoakOptions {
  readonly base: string;
  readonly adminToken: string;
  readonly users: number;
  /** Whether a user that has done this many steps continues. */
  readonly shouldContinue: (steps: number) => boolean;
  /** Whether the users are deleted at the end. */
  readonly cleanUp?: boolean;
}

export interface Finding {
  readonly crossTalk: boolean;
  /** The user, the step, and the problem. */
  readonly text: string;
}

export interface Soaked {
  readonly tally: RequestCounts;
  readonly findings: readonly Finding[];
  /** Images that the users owned at the end. */
  readonly images: number;
  /** Duration without the final comparison. */
  readonly seconds: number;
  /** Requests without the final comparison. */
  readonly requests: number;
}

const platformCount = 3;

/**
 * Runs users of three platforms concurrently, and checks every response against the user's model.
 */
export async function soak({
  base,
  adminToken,
  users,
  shouldContinue,
  cleanUp = false,
}: SoakOptions): Promise<Soaked> {
  const tally = new RequestCounts();
  const client = new CountingClient(base, tally);
  const tenants = await Promise.all(
    Array.from({ length: platformCount }, () => makePlatform(client, adminToken)),
  );
  const pictures = await Pictures.read();
  const residents = await Promise.all(
    Array.from({ length: users }, async (_, n) => {
      const tenant = tenants[n % platformCount] as Tenant;
      return new SimulatedUser(await tenant.user(`soak ${n + 1}`), pictures, n + 1);
    }),
  );
  const findings: Finding[] = [];
  const hold = async (what: string, work: () => Promise<void>): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      findings.push({ crossTalk: error instanceof CrossTalk, text: `${what}: ${reason}` });
      return false;
    }
  };

  const { requests: before } = tally;
  const began = performance.now();
  await Promise.all(
    residents.map(async (user) => {
      const steps = shuffledSteps(user.random);
      for (let n = 0; shouldContinue(n); n += 1) {
        const { name, run } = steps.next().value;
        // Anything after a finding would only be its consequence.
        if (!(await hold(`${user.name}, ${name}`, () => run(user, residents)))) return;
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  const requests = tally.requests - before;

  await Promise.all(
    residents.map((user) => hold(`${user.name}, at the end`, () => auditUser(user))),
  );
  for (const tenant of tenants) {
    const members = residents.filter(({ member }) => member.tenant === tenant);
    await hold(`platform ${tenant.record.platform}`, () => auditPlatform(tenant, members));
  }
  if (cleanUp) {
    await Promise.all(
      residents.map(({ member, name }) =>
        hold(`${name}, deleted`, async () => void done(await member.delete(''))),
      ),
    );
  }
  const images = residents.reduce((sum, { model }) => sum + model.images.size, 0);
  return { tally, findings, images, seconds, requests };
}

async function makePlatform(client: CountingClient, adminToken: string): Promise<Tenant> {
  const answer = await client.post<CreatedPlatform>('/api/v1/platforms/', {
    as: ['Admin', adminToken],
    form: { platform: unique('soak') },
  });
  return new Tenant(client, done(answer));
}

const steps: readonly Step[] = [
  ...uploadSteps,
  ...imageSteps,
  ...folderSteps,
  ...noteSteps,
  ...listSteps,
  ...searchSteps,
  ...groupSteps,
  ...platformSteps,
  ...unauthorizedSteps,
];

const cards = steps.flatMap((step) => Array.from({ length: step.weight }, () => step));

/** An endless sequence of steps; each deck has all of them, in random order. */
function* shuffledSteps(random: Random): Generator<Step, never> {
  for (;;) yield* random.shuffled(cards);
}
