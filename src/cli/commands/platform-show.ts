import { readErasure } from '../../library/deletion/platform-removal.js';
import { Usage } from '../../library/quota/usage.js';
import { toMegabytes, counted, sizeText } from '../../base/units.js';
import type { Context } from '../context.js';
import { erasureDocument, erasureText } from '../erasure-text.js';
import { limitLines, limitsDocument } from '../limits-text.js';
import { withTenants, type OpenTenants } from '../tenants.js';

/** A platform with what its users store; for a deleted one, the report of its deletion. */
export async function showPlatform(
  context: Context,
  _options: object,
  [id = '']: string[],
): Promise<void> {
  const result = await withTenants(context, async (tenants) => {
    const erasure = await readErasure(tenants.db, id);
    return erasure
      ? { document: erasureDocument(erasure), text: erasureText(erasure) }
      : describe(tenants, id);
  });
  context.ui.result(result);
}

async function describe({ db, platforms, tokens, limits }: OpenTenants, id: string) {
  const platform = await platforms.get(id);
  const used = await new Usage(db).ofPlatform(platform.id);
  const row = await limits.of(platform.id);
  const document = {
    ...platform,
    state: 'active',
    suspended_at: await platforms.suspendedAt(platform.id),
    sign_ins: await tokens.countLive(platform.id),
    image_count: used.images,
    stored_mb: toMegabytes(used.storedBytes),
    limits: limitsDocument(row),
  };
  const state = document.suspended_at ? `suspended since ${document.suspended_at}` : 'active';
  const text = [
    `platform  ${platform.platform}`,
    `id        ${platform.id}`,
    `state     ${state}`,
    `created   ${platform.created_at}, changed ${platform.updated_at}`,
    `contents  ${counted(platform.user_count, 'user')}, ${counted(used.images, 'image')}, ${sizeText(used.storedBytes)}, trash included`,
    `sign-ins  ${counted(document.sign_ins, 'sign-in')} of the platform and its users`,
    'limits of all users together:',
    ...limitLines(row),
  ];
  const shown = { ...document, state: document.suspended_at ? 'suspended' : 'active' };
  return { document: shown, text: text.join('\n') };
}
