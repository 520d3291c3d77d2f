import { run } from '../../src/base/os/run.js';
import type { Scope } from '../../testkit/scope.js';

/** Of the range for measurements (RFC 2544), which no real network uses. */
const addressOf = (machine: number): string => `198.18.33.${machine}`;
const bridge = 'imgsoak';
const nameOf = (machine: number): string => `${bridge}-${machine}`;

/**
 * Machines numbered from 1 on with a network of their own, which are network namespaces on a bridge.
 * Needs root and `ip`.
 */
export class Network {
  /** Its addresses, with the length of their prefix. */
  static readonly range = `${addressOf(0)}/24`;

  private constructor(private readonly machines: readonly number[]) {}

  static async create(scope: Scope, count: number): Promise<Network> {
    const network = new Network(Array.from({ length: count }, (_, n) => n + 1));
    await network.#remove(); // what a run that was killed has left
    scope.after(() => network.#remove());
    await ip(`link add ${bridge} type bridge`);
    await ip(`addr add ${addressOf(254)}/24 dev ${bridge}`);
    await ip(`link set ${bridge} up`);
    for (const machine of network.machines) await network.#add(machine);
    return network;
  }

  static readonly addressOf = addressOf;

  /** Runs a program on a machine: put before its command. */
  commandOn = (machine: number): string[] => ['ip', 'netns', 'exec', nameOf(machine)];

  /** From now on, nothing reaches this machine, and nothing from it arrives, without a word to either. */
  cut = (machine: number): Promise<void> => ip(`link set ${nameOf(machine)} nomaster`);

  join = (machine: number): Promise<void> => ip(`link set ${nameOf(machine)} master ${bridge}`);

  async #add(machine: number): Promise<void> {
    const name = nameOf(machine);
    await ip(`netns add ${name}`);
    await ip(`link add ${name} type veth peer name eth0 netns ${name}`);
    await ip(`-n ${name} addr add ${addressOf(machine)}/24 dev eth0`);
    for (const device of ['lo', 'eth0']) await ip(`-n ${name} link set ${device} up`);
    await ip(`link set ${name} up`);
    await this.join(machine);
  }

  async #remove(): Promise<void> {
    for (const machine of this.machines) await run('ip', ['netns', 'del', nameOf(machine)]);
    await run('ip', ['link', 'del', bridge]);
  }
}

async function ip(args: string): Promise<void> {
  const { code, output } = await run('ip', args.split(' '));
  if (code !== 0) throw new Error(`ip ${args}: ${output}`);
}
