import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isJsonObject, type JsonObject } from '@longhaul/tasks/json';
import { withoutByteOrderMark } from '@longhaul/runtime/byte-order-mark';
import { requireBoundedSchema } from '@longhaul/agent/schema-bounds';
import { UserError } from '../user-error.js';

/** Reads the schema of an answer, with the limits that it has in a task. @throws UserError that names the file */
export async function readOutputSchema(file: string, cwd: string): Promise<JsonObject> {
  const refusal = (why: string): UserError => new UserError(`--output-schema ${file}: ${why}`);
  const text = await readFile(resolve(cwd, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw refusal(`it cannot be read (${error.code ?? error.message})`);
  });
  let schema: unknown;
  try {
    schema = JSON.parse(withoutByteOrderMark(text));
  } catch (error) {
    throw refusal(`it is no JSON: ${(error as Error).message}`);
  }
  if (!isJsonObject(schema)) throw refusal('it must be a JSON object');
  try {
    requireBoundedSchema('the schema', schema);
  } catch (error) {
    throw refusal((error as Error).message);
  }
  return schema;
}
