import url from 'world-atlas/countries-50m.json?url';
import { problemOf } from '../../core/problem';
import { unanswered } from '../../core/reach';
import { outlinesOf } from './countries';
import type { Outlines, World } from './countries';

// The base map included with the console: countries of Natural Earth, which is in the public domain.

let reading: Promise<Outlines> | undefined;

/** Read once, when the first map is drawn. */
export function readOutlines(): Promise<Outlines> {
  reading ??= read().catch((problem: unknown) => {
    reading = undefined;
    throw problem;
  });
  return reading;
}

async function read(): Promise<Outlines> {
  const answer = await fetch(url).catch(() => {
    throw unanswered();
  });
  if (!answer.ok) throw problemOf(answer.status, undefined);
  return outlinesOf((await answer.json()) as World);
}
