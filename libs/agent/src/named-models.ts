/** Reads the operator's list of models: names that callers may use, and where the models are. */
import { withoutByteOrderMark } from '@longhaul/runtime/byte-order-mark';
import { z } from 'zod';
import type { ApiName, EndpointOptions } from './endpoint/endpoint-model.js';
import { operatorSampling } from './model/sampling.js';
import type { ModelPrice } from './model/usage.js';

/** A model that may be used. */
export interface ModelSettings {
  /** As callers name it. */
  readonly name: string;
  /** For `createEndpointModel`. Throws ConfigError when its key is looked at and has not been set: gateways need none. */
  readonly endpoint: Pick<
    EndpointOptions,
    'baseUrl' | 'api' | 'apiKey' | 'model' | 'mode' | 'takesImages' | 'takesAudio' | 'takesFiles' | 'timeouts' | 'sampling' | 'headers'
  >;
  readonly price?: ModelPrice | undefined;
  /** Tokens of its context, if the operator says so. */
  readonly contextTokens?: number | undefined;
}

export const TOOL_MODES = ['auto', 'native', 'textual', 'schema'] as const;
export const API_NAMES = ['chat', 'responses'] as const satisfies readonly ApiName[];

export const endpointUrl = z.string().refine((text) => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}, 'must be an http or https URL without a user name');

const price = z.number().min(0);
const contextTokens = z.int().min(1_000).max(100_000_000);
const entry = z.strictObject({
  baseUrl: endpointUrl,
  /** As the endpoint knows it; the name of the entry if there is none. */
  model: z.string().min(1).optional(),
  /** The variable with the key, so that the list has none. */
  apiKeyEnv: z.string().min(1).optional(),
  api: z.exactOptional(z.enum(API_NAMES)),
  mode: z.exactOptional(z.enum(TOOL_MODES)),
  takesImages: z.boolean().default(false),
  takesAudio: z.boolean().default(false),
  takesFiles: z.boolean().default(false),
  price: z.strictObject({ input: price, output: price, cached: price.optional() }).optional(),
  contextTokens: contextTokens.optional(),
  sampling: operatorSampling.optional(),
  headers: z.exactOptional(z.record(z.string().regex(/^[\w-]{1,128}$/), z.string().regex(/^[\x20-\x7e]*$/))),
});
const entries = z.record(
  z.string().regex(/^[\w.:/-]{1,128}$/, 'must be 1 to 128 letters, digits, dots, colons, slashes, dashes or underscores'),
  entry,
);

/** A JSON object of models by their names, as its entries. */
export const namedModels = z.string().transform((text, context) => {
  let json: unknown;
  try {
    json = JSON.parse(withoutByteOrderMark(text));
  } catch {
    context.addIssue({ code: 'custom', message: 'must be a JSON object of models by their names' });
    return z.NEVER;
  }
  const parsed = entries.safeParse(json);
  if (!parsed.success) {
    for (const { path, message } of parsed.error.issues)
      context.addIssue({ code: 'custom', message: [path.join('.'), message].join(': ') });
    return z.NEVER;
  }
  return Object.entries(parsed.data);
});
