import type { Config } from '../../base/config/options.js';
import { namesS3 } from '../../store/s3/settings.js';

/** Other origins that signed URLs, and so the pictures of a page, may point to. */
function pictureOrigins(config: Config): string[] {
  const urls = [config.public_url];
  if (namesS3(config) && config['s3.delivery'] === 'direct') {
    urls.push(config['s3.public_endpoint'] ?? config['s3.endpoint'][0]);
  }
  return urls.filter((url) => url !== undefined).map((url) => new URL(url).origin);
}

/**
 * The page may run its own scripts and styles, call this server, and show pictures of the store and,
 * if configured, tiles of a map. Injected markup can do nothing.
 */
export function contentSecurityPolicy(config: Config): string {
  const tiles = config['map.basemap'];
  const maps = tiles === undefined ? [] : [new URL(tiles).origin];
  const pictures = new Set(["'self'", 'data:', 'blob:', ...pictureOrigins(config), ...maps]);
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${[...pictures].join(' ')}`,
    `connect-src ${["'self'", ...maps].join(' ')}`,
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
