import type { SimulatedUser } from './simulated-user.js';

/** Something that a user does; it must leave the model in line with the server. */
export interface Step {
  readonly name: string;
  /** How often it is in the deck. */
  readonly weight: number;
  /** @param others all users of all platforms. */
  readonly run: (user: SimulatedUser, others: readonly SimulatedUser[]) => Promise<void>;
}

export const step = (weight: number, name: string, run: Step['run']): Step => ({
  name,
  weight,
  run,
});
