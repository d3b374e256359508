import type { z } from 'zod';
import { invalidParams } from '../errors.js';

/** The params of a request in the shape that the schema gives them. @throws ProtocolError -32602 that names each wrong field */
export function parseParams<T>(schema: z.ZodType<T>, params: unknown): T {
  const parsed = schema.safeParse(params ?? {});
  if (!parsed.success) throw invalidParams(`Invalid params: ${describeIssues(parsed.error, 'params')}`);
  return parsed.data;
}

/** One clause per wrong field: its path and what is expected of it. */
export function describeIssues(error: z.ZodError, root: string): string {
  return error.issues.map(({ path, message }) => `${path.length === 0 ? root : path.map(String).join('.')}: ${message}`).join('; ');
}
