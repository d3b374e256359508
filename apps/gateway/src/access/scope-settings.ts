/** Reads the required scopes from `LONGHAUL_SCOPES`. */
import { scopeProblem } from '@longhaul/runtime/scopes';
import { z } from 'zod';
import { METHODS } from '../rpc/methods.js';
import { jsonSetting } from '@longhaul/runtime/json-setting';

const scope = z.string().superRefine((text, context) => {
  const problem = scopeProblem(text);
  if (problem !== undefined) context.addIssue(problem);
});
const scopes = z.array(scope).max(64);

/** The setting: an object as JSON, or the path of a file with it. */
export const scopesSetting = jsonSetting(
  z
    .strictObject({
      required: scopes.default([]),
      methods: z.record(z.string(), scopes).default({}),
      includes: z.record(z.string(), scopes).default({}),
    })
    .superRefine(({ methods, includes }, context) => {
      for (const method of Object.keys(methods))
        if (!Object.hasOwn(METHODS, method)) context.addIssue(`methods: there is no method ${JSON.stringify(method)}`);
      for (const problem of Object.keys(includes).map(scopeProblem)) if (problem !== undefined) context.addIssue(`includes: ${problem}`);
    }),
);
