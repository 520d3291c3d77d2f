import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';

/** Something that goes on while the reader is on whatever page, as the tray shows it. */
export interface Activity {
  /** In one line: what it is, and how far. Undefined while there is nothing to say. */
  readonly summary: () => string | undefined;
  /** From 0 to 1; undefined when nothing goes on. */
  readonly share: () => number | undefined;
  /** All that there is to say, and to do about it. */
  readonly Details: ComponentType;
}

export const activities = signal<readonly Activity[]>([]);

export const addActivity = (activity: Activity): void => {
  activities.value = [...activities.value, activity];
};
