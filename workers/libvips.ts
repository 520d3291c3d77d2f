import { createRequire } from 'node:module';
import type { SharpConstructor } from 'sharp';

// As CommonJS: loading it as modules takes twice as long, and every imaging process does so twice.
const sharp = createRequire(import.meta.url)('sharp') as SharpConstructor;

// Each thread processes one image, and every image only once, so neither a cache nor threads within
// an image would help.
sharp.cache(false);
sharp.concurrency(1);

// Only the decoders of the accepted formats; everything else that libvips supports stays blocked.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif'].map((f) => `VipsForeignLoad${f}`),
});

export { sharp };
