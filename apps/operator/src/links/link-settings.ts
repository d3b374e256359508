/** Defines `LONGHAUL_TRACE_URL` and `LONGHAUL_LOGS_URL`: addresses of other programs, with a placeholder for each value of a task. */
import { settings } from '@longhaul/runtime/settings';
import { z } from 'zod';

/** What a template may contain. `taskHash` is the id as log lines have it. */
export const PLACEHOLDERS = ['traceId', 'taskId', 'taskHash', 'from', 'to'] as const;

export type Placeholder = (typeof PLACEHOLDERS)[number];

/** Other braces are a part of the address. */
const PLACEHOLDER = /\{(\w+)\}/g;

/** The templates of the settings; absent ones make no link. */
export interface LinkTemplates {
  readonly trace?: string;
  readonly logs?: string;
}

/** @param valueOf is not asked for other names than placeholders if the template is one of the settings */
export function filledTemplate(template: string, valueOf: (name: Placeholder) => string): string {
  return template.replaceAll(PLACEHOLDER, (_, name: Placeholder) => encodeURIComponent(valueOf(name)));
}

/** @param needed a template has one of these, as otherwise all tasks would have the same link */
function template(needed: readonly Placeholder[]) {
  return z
    .string()
    .superRefine((text, context) => {
      const problem = problemOf(text, needed);
      if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
    })
    .optional();
}

function problemOf(text: string, needed: readonly Placeholder[]): string | undefined {
  const found = Array.from(text.matchAll(PLACEHOLDER), ([, name = '']) => name);
  const unknown = found.find((name) => !PLACEHOLDERS.some((known) => known === name));
  if (unknown !== undefined) return `has the unknown placeholder {${unknown}}; it may have ${listed(PLACEHOLDERS, 'and')}`;
  if (!needed.some((name) => found.includes(name))) return `must contain ${listed(needed, 'or')}`;
  const { protocol = '' } = URL.parse(filledTemplate(text, () => '0')) ?? {};
  return /^https?:$/.test(protocol) ? undefined : 'must be an http: or https: URL';
}

function listed(names: readonly Placeholder[], word: string): string {
  const braced = names.map((name) => `{${name}}`);
  return braced.length === 1 ? (braced[0] ?? '') : `${braced.slice(0, -1).join(', ')} ${word} ${braced.at(-1) ?? ''}`;
}

export const linkVariables = settings('operators', {
  LONGHAUL_TRACE_URL: template(['traceId']).meta({
    allowed: 'an `http:` or `https:` URL with `{traceId}`',
    description: 'The address of a trace in your system, for [links](operating.md#traces-and-logs) from tasks',
  }),
  LONGHAUL_LOGS_URL: template(['taskHash', 'taskId', 'traceId']).meta({
    allowed: 'an `http:` or `https:` URL with `{taskHash}`, `{taskId}` or `{traceId}`',
    description: "The address of a task's log lines in your system, for [links](operating.md#traces-and-logs) from tasks",
  }),
});

export function linkTemplates(data: z.output<z.ZodObject<typeof linkVariables>>): LinkTemplates {
  const { LONGHAUL_TRACE_URL: trace, LONGHAUL_LOGS_URL: logs } = data;
  return { ...(trace !== undefined && { trace }), ...(logs !== undefined && { logs }) };
}
