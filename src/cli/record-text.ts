import { printable } from '../base/text.js';
import { counted, sizeText } from '../base/units.js';
import type { WaitingObjects } from '../library/reclaim/reclaim.js';

/** Human-readable lines for records that several commands print. */
export const platformText = (p: { id: string; platform: string }): string =>
  `${p.id}  ${printable(p.platform)}`;

export const userText = (u: { id: string; platform_user_id: string }): string =>
  `${u.id}  ${printable(u.platform_user_id)}`;

export const tokenText = (t: { access_token: string; refresh_token: string }): string =>
  `access token:  ${t.access_token}\nrefresh token: ${t.refresh_token}`;

/** An instant, given as ISO 8601, to the second; the header of its column says that it is UTC. */
export const utcText = (instant: string): string => instant.slice(0, 19).replace('T', ' ');

/** What is stored of deleted images. */
export const keptText = ({ objects, bytes }: WaitingObjects): string =>
  `${counted(objects, 'object')} (${sizeText(bytes)}) of deleted images, kept for backups`;
