import type { components } from '../../core/api';

export type Status = components['schemas']['Status'];

export interface StatusProps {
  readonly status: Status;
}
