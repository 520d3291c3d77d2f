import { ServiceError } from '../base/errors/catalogue.js';
import type { ReceivedForm } from './upload.js';

/** Characters of a part's name that are quoted in the error message. */
const maxName = 100;

/** The error for an upload without its file; explains what was received instead. */
export function missingFile(part: string, form: ReceivedForm): ServiceError {
  const message = `${part} is required: ${explanation(part, form)}`;
  return new ServiceError('missing_field', { field: part, message });
}

function explanation(part: string, { fields, otherFiles = [] }: ReceivedForm): string {
  const [name] = otherFiles;
  if (name !== undefined) {
    return `the file came as "${name.slice(0, maxName)}"; name its part ${part}.`;
  }
  if (fields[part] !== undefined) {
    return `it came as text; send it as a file, with a filename (curl: -F ${part}=@photo.jpg).`;
  }
  return `send multipart/form-data with the file in the part ${part}.`;
}
