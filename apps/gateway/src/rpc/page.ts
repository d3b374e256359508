/** Builds pages of lists whose entries are known in this process. */
import { z } from 'zod';
import { invalidParams } from './errors.js';
import { parseParams } from './params.js';

const Params = z.object({ cursor: z.string().optional() });

/** One page. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}

/** The page that the params of a list method ask for. @throws ProtocolError -32602 for an invalid cursor */
export function pageOf<T>(items: readonly T[], params: unknown, size: number): Page<T> {
  const { cursor } = parseParams(Params, params);
  const start = cursor === undefined ? 0 : startOf(cursor);
  const end = start + size;
  return { items: items.slice(start, end), ...(end < items.length && { nextCursor: cursorOf(end) }) };
}

function cursorOf(start: number): string {
  return Buffer.from(`from:${start}`).toString('base64url');
}

function startOf(cursor: string): number {
  const [, digits] = /^from:([1-9]\d{0,8})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (digits === undefined) throw invalidParams('Invalid cursor');
  return Number(digits);
}
