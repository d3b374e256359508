import { z } from 'zod';
import { completersByName } from './completion.js';
import { madeOf } from './feature-code.js';
import { statedNeeds } from './needs.js';
import { inFeature } from './feature-scope.js';
import { omitUndefined } from './omit-undefined.js';
import { requireZodObject } from './require-schema.js';
import { parseUntrusted } from './parse-untrusted.js';
import { describeIssues } from './tool-result.js';
/** Defines a prompt. @throws TypeError for arguments that are no zod object */
export function definePrompt(spec) {
    const { name, description } = spec;
    if (spec.arguments !== undefined)
        requireZodObject(`Prompt ${name}`, 'arguments', spec.arguments);
    const schema = spec.arguments ?? z.object({});
    const prompt = {
        kind: 'prompt',
        name,
        ...statedNeeds(spec),
        listing: listingOf(spec),
        completers: completersByName({ kind: 'prompt', name }, spec.complete),
        check(args) {
            const parsed = parseUntrusted(schema, args ?? {});
            return parsed.success ? { ok: true, value: parsed.data } : { ok: false, message: describeIssues(parsed.error) };
        },
        async get(args, context) {
            const value = await inFeature({ kind: 'prompt', name }, () => spec.run(args, context));
            return promptResultOf(value, description);
        },
    };
    return madeOf(prompt, spec);
}
function listingOf(spec) {
    const { name, title, description, icons, _meta } = spec;
    const fields = Object.entries(spec.arguments?.shape ?? {});
    const args = fields.map(([field, type]) => omitUndefined({ name: field, description: type.description, required: !type.safeParse(undefined).success }));
    return omitUndefined({ name, title, description, icons, arguments: args.length > 0 ? args : undefined, _meta });
}
/** What a prompt returned, as the result of `prompts/get`; a full result stays as it is. */
function promptResultOf(value, description) {
    if (typeof value === 'string')
        return { description, messages: [{ role: 'user', content: { type: 'text', text: value } }] };
    return Array.isArray(value) ? { description, messages: value } : value;
}
//# sourceMappingURL=define-prompt.js.map