import type { OutgoingMessage } from 'node:http';
import { ServiceError } from '../base/errors/catalogue.js';

/** @param methods that the route supports, comma-separated, as in `Allow`. */
export function methodNotAllowed(response: OutgoingMessage, methods: string): ServiceError {
  response.setHeader('Allow', methods);
  return new ServiceError('method_not_allowed', { message: `This route supports ${methods}.` });
}

/** The API's fixed message for success. */
export const successMessage = '성공';

export const success = (result: unknown) => ({ status_code: 200, message: successMessage, result });

/** The body of an error response. */
export const failureBody = (error: ServiceError) => ({
  status_code: error.status,
  message: error.message,
  result: null,
  error: {
    code: error.code,
    message: error.message,
    ...(error.field !== undefined && { field: error.field }),
    ...(error.details !== undefined && { details: error.details }),
  },
});

/** Default headers of all responses: private to one reader, and of exactly the declared type. */
export const responseHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
} as const;
