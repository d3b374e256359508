import { describeIssues, parseUntrusted } from '@longhaul/mcp-features';
import type { z } from 'zod';
import { invalidParams } from './errors.js';

/** The params of a request in the shape that the schema gives them. @throws ProtocolError -32602 that names each wrong field */
export function parseParams<T>(schema: z.ZodType<T>, params: unknown): T {
  const parsed = parseUntrusted(schema, params ?? {});
  if (!parsed.success) throw invalidParams(`Invalid params: ${describeIssues(parsed.error, 'params')}`);
  return parsed.data;
}
