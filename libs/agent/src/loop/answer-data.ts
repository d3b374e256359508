import type { Json, JsonObject } from '@longhaul/tasks';
import type { SchemaAnswer, SchemaQuestion } from './output-schema.js';

/** Models like to put JSON into a block of Markdown. */
const FENCED = /^```(?:json)?\s*\n([\s\S]*?)\n?```$/;

/** An answer as data that fits a schema, or what is wrong with it. */
export async function answerData(
  answer: string,
  schema: JsonObject,
  check: (question: SchemaQuestion) => Promise<SchemaAnswer>,
): Promise<{ readonly data: Json } | { readonly problem: string }> {
  const text = answer.trim();
  let data: Json;
  try {
    data = JSON.parse(FENCED.exec(text)?.[1] ?? text) as Json;
  } catch (error) {
    return { problem: `it is no JSON: ${(error as Error).message}` };
  }
  const { unusable, problem = unusable } = await check({ schema, value: data });
  return problem === undefined ? { data } : { problem };
}
