/** Defines the arguments of the git tools, with the titles that clients of the reference server see. */
import { z } from 'zod';

const TIMESTAMP_FORMATS =
  "Accepts: ISO 8601 format (e.g., '2024-01-15T14:30:25'), relative dates (e.g., '2 weeks ago', 'yesterday'), or absolute dates (e.g., '2024-01-15', 'Jan 15 2024')";

/** A text. */
export function text(title: string, description?: string) {
  return z.string().meta({ title, ...(description !== undefined && { description }) });
}

/** Lists as `anyOf`, as the reference does: zod would make one list of both types of two that say nothing else. */
const ALONE = z.string().meta({ format: undefined });

/** A text that may be left out. */
export function optionalText(title: string, description?: string) {
  return z
    .union([ALONE, z.null()])
    .default(null)
    .meta({ title, ...(description !== undefined && { description }) });
}

/** A date in any form that git reads. */
export function timestamp(which: 'Start' | 'End') {
  return optionalText(`${which} Timestamp`, `${which} timestamp for filtering commits. ${TIMESTAMP_FORMATS}`);
}

/** A whole number. The schema names no bounds. */
export function wholeNumber(title: string, preset: number) {
  return z.number().refine(Number.isSafeInteger, 'must be a whole number').meta({ type: 'integer' }).default(preset).meta({ title });
}

/** The argument of every tool. */
export const REPO_PATH = { repo_path: text('Repo Path') };
