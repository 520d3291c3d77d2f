import type { OutgoingMessage } from 'node:http';
import { ServiceError } from '../base/errors/catalogue.js';

/** @param methods that the route supports, comma-separated, as in `Allow`. */
export function methodNotAllowed(response: OutgoingMessage, methods: string): ServiceError {
  response.setHeader('Allow', methods);
  return new ServiceError('method_not_allowed', { message: `This route supports ${methods}.` });
}
