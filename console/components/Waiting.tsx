import { waiting } from '../core/waiting';

/** A line at the top of the window, drawn after a moment: most answers are there before. */
export const Waiting = () =>
  waiting.value > 0 ? <div class="waiting-line" aria-hidden="true" /> : null;
