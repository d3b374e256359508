import { readFileSync } from 'node:fs';
import { z } from 'zod';
/** A setting that is JSON, or the path of a file with it, and what that has to look like; or none. */
export function jsonSetting(shape) {
    return z
        .string()
        .transform((text, context) => {
        try {
            const checked = shape.safeParse(JSON.parse(jsonOf(text)));
            if (checked.success)
                return checked.data;
            context.addIssue(describeFields(checked.error));
        }
        catch (error) {
            context.addIssue(problemOf(error));
        }
        return z.NEVER;
    })
        .optional();
}
/** Each wrong field by its path, with what it has to be. */
export function describeFields({ issues }) {
    return issues.map(({ path, message }) => `${path.length === 0 ? 'JSON' : path.join('.')}: ${message}`).join('; ');
}
function jsonOf(text) {
    return /^\s*[[{]/.test(text) ? text : readFileSync(text, 'utf8');
}
function problemOf(error) {
    if (error instanceof SyntaxError)
        return 'is no JSON';
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return `must be JSON, or the path of a file that has it; it is no JSON, and no such file can be read (${code})`;
}
//# sourceMappingURL=json-setting.js.map