import assert from 'node:assert/strict';
import type { Image, Page } from '../../testkit/records.js';
import type { Call } from '../../testkit/client.js';
import type { SimulatedUser } from './simulated-user.js';

/** All images of a list, page by page. */
export async function readPages(user: SimulatedUser, query: Call['query']): Promise<Image[]> {
  const found: Image[] = [];
  for (let index = 0, total = 1; index < total;) {
    const page = await user.get<Page<Image>>('/images', { ...query, last_index: index });
    assert.equal(page.last_index, index + page.count);
    assert.ok(page.count > 0 || page.total_count === 0, 'paging continues');
    found.push(...page.items);
    [index, total] = [page.last_index, page.total_count];
  }
  return found;
}
