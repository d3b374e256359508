import { Problem } from '../api/client.js';

/** The value of a field of JSON. @throws Problem that names the field */
export function jsonFrom(text: string, field: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Problem(0, 'NO_JSON', `The ${field} are no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
