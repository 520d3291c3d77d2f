import { z } from 'zod';
import { id, timestamp } from '../../http/record-fields.js';
import { imageRecord } from '../images/schemas.js';

export const uploadRecord = z
  .object({
    id,
    state: z.enum(['receiving', 'processing', 'stored', 'refused']).meta({
      description: 'processing: all bytes are there, and become an image or are refused',
    }),
    offset: z.int().meta({ description: 'bytes of the file that are stored durably' }),
    length: z.int().meta({ description: 'bytes of the file' }),
    expires_at: timestamp.meta({
      description: 'when an unfinished upload is deleted, or a finished one is forgotten',
    }),
    image: imageRecord.optional().meta({
      description: 'what it was stored as; absent once the image has been deleted',
    }),
    error: z
      .object({ code: z.string(), message: z.string(), field: z.string().optional() })
      .optional()
      .meta({ description: 'why it was refused, as in the envelope' }),
  })
  .meta({ id: 'Upload' });
export type UploadRecord = z.output<typeof uploadRecord>;
