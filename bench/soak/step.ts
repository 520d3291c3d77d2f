import type { SimulatedUser } from './simulated-user.js';

/** An action of a user; it must keep the model consistent with the server. */
export interface Step {
  readonly name: string;
  /** Number of occurrences in the deck. */
  readonly weight: number;
  /** @param others all users of all platforms. */
  readonly run: (user: SimulatedUser, others: readonly SimulatedUser[]) => Promise<void>;
}

export const step = (weight: number, name: string, run: Step['run']): Step => ({
  name,
  weight,
  run,
});
