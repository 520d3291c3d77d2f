import type { Context } from '../context.js';
import { supervise } from '../supervise.js';

/** A process of its own is the service; all that this one does is wait for it. */
export const up = (context: Context): Promise<void> => supervise(context, 'up-service');
