import { type Generation, GENERATIONS } from './generation.js';

/** All that another process needs to take up a task, as plain JSON. It gives access to the task: keep it like a password. */
export interface TaskReference {
  readonly taskId: string;
  readonly generation: Generation;
  /** The tool that was called. */
  readonly tool: string;
  /** The session that owns the task. Only in protocol version 2025-11-25, and only if the server has sessions. */
  readonly sessionId?: string;
  /** The result of the negotiation in that session. */
  readonly protocolVersion?: string;
  /** Under which progress is reported. */
  readonly progressToken?: string;
}

const OPTIONAL_TEXTS = ['sessionId', 'protocolVersion', 'progressToken'] as const;

/**
 * Checks a reference that was stored outside the program.
 *
 * @throws TypeError that names the field
 */
export function parseReference(value: unknown): TaskReference {
  if (typeof value !== 'object' || value === null) throw new TypeError('A task reference has to be an object.');
  const reference = value as Record<string, unknown>;
  for (const field of ['taskId', 'tool'])
    if (typeof reference[field] !== 'string' || reference[field] === '')
      throw new TypeError(`The task reference has no text in "${field}".`);
  if (!GENERATIONS.includes(reference['generation'] as Generation))
    throw new TypeError(`"generation" of the task reference has to be one of ${GENERATIONS.join(', ')}.`);
  for (const field of OPTIONAL_TEXTS)
    if (reference[field] !== undefined && typeof reference[field] !== 'string')
      throw new TypeError(`"${field}" of the task reference has to be a text.`);
  return reference as unknown as TaskReference;
}
