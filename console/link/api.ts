import type { components } from '../../clients/typescript/src/index.js';
import { resultOf, unanswered, type Refusal } from '../core/refusal';

type Schemas = components['schemas'];
export type VisitedLink = Schemas['VisitedLink'];
export type Picture = Schemas['LinkPicture'];
export type PicturePage = Schemas['LinkPictures'];
export type Archive = Schemas['Archive'];

/** The path of the page, below which is everything that it asks for. */
export const page = location.pathname.replace(/\/$/, '');

export const addressOf = (path: string): string => `${page}/${path}`;

/** Whether the link itself is the reason. */
export const isOfLink = ({ status, code }: Refusal): boolean =>
  status === 404 || status === 410 || code === 'password_required';

/** @throws Refusal. */
export async function ask<Result>(path: string, init?: RequestInit): Promise<Result> {
  const answer = await fetch(addressOf(path), init).catch((cause: unknown) => {
    throw unanswered(cause);
  });
  return resultOf(answer.status, await answer.text(), answer.headers);
}

export const post = <Result>(path: string, fields: object = {}): Promise<Result> =>
  ask(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(fields),
  });
