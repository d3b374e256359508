import type { Json, JsonObject } from '@longhaul/tasks';
import { schemaProblem } from './schema-check.js';

/** Models like to put JSON into a block of Markdown. */
const FENCED = /^```(?:json)?\s*\n([\s\S]*?)\n?```$/;

/** An answer as data that fits a schema, or what is wrong with it. */
export function answerData(answer: string, schema: JsonObject): { readonly data: Json } | { readonly problem: string } {
  const text = answer.trim();
  let data: Json;
  try {
    data = JSON.parse(FENCED.exec(text)?.[1] ?? text) as Json;
  } catch (error) {
    return { problem: `it is no JSON: ${(error as Error).message}` };
  }
  const problem = schemaProblem(schema, data);
  return problem === undefined ? { data } : { problem };
}
