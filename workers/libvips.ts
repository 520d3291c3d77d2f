import sharp from 'sharp';

// One picture per thread and every picture only once: neither a cache nor threads within a picture
// would pay.
sharp.cache(false);
sharp.concurrency(1);

// Only the decoders of the accepted formats; whatever libvips would recognise beyond them stays shut.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif'].map((f) => `VipsForeignLoad${f}`),
});

export { sharp };
