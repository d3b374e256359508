import { z } from 'zod';
import { withClientContext } from './client-context.js';
import { madeOf } from './feature-code.js';
import { statedNeeds } from './needs.js';
import { inFeature } from './feature-scope.js';
import { headerParamsOf } from './header-params.js';
import { requireInputSchema, requireZodObject } from './require-schema.js';
import { omitUndefined } from './omit-undefined.js';
import { collectedParts, replayedParts } from './tool-parts.js';
import { parseUntrusted } from './parse-untrusted.js';
import { describeIssues, errorResult, resultOfThrown, toCallToolResult } from './tool-result.js';
import { withUrlsOpened } from './with-urls-opened.js';
import { asWorkflow } from './workflow-guard.js';
export function defineTool(spec) {
    const owner = `Tool ${spec.name}`;
    requireInputSchema(owner, spec.input);
    if (isDurable(spec))
        requireMaxRunning(owner, spec.maxRunning);
    if (spec.output !== undefined)
        requireZodObject(owner, 'output', spec.output);
    return madeOf(isDurable(spec) ? durableTool(spec) : inlineTool(spec), spec);
}
function isDurable(spec) {
    return spec.task === 'optional' || spec.task === 'required';
}
/** What a tool is, inline or durable. */
function descriptionOf(spec) {
    const listing = listingOf(spec);
    return {
        kind: 'tool',
        name: spec.name,
        listing,
        headerParams: headerParamsIn(listing),
        ...statedNeeds(spec),
        check: argumentsCheck(spec.input),
    };
}
function inlineTool(spec) {
    const { name } = spec;
    const what = `Tool ${name}`;
    const described = descriptionOf(spec);
    const { check } = described;
    return {
        ...described,
        taskSupport: 'forbidden',
        async call(args, context) {
            const checked = check(args);
            if (!checked.ok)
                return errorResult(invalidArguments(name, checked.message));
            try {
                const run = async () => collectedParts(what, await spec.run(checked.value, context), context);
                return toCallToolResult(what, await inFeature({ kind: 'tool', name }, run), spec.output);
            }
            catch (error) {
                return resultOfThrown(what, error);
            }
        },
    };
}
function durableTool(spec) {
    const { name, retry, priority, maxRunning } = spec;
    const what = `Tool ${name}`;
    const described = descriptionOf(spec);
    const { check } = described;
    return {
        ...described,
        taskSupport: spec.task,
        prepare: spec.prepare === undefined
            ? undefined
            : async (args, context) => (await inFeature({ kind: 'tool', name }, () => spec.prepare?.(args, context))) ?? args,
        ...taskOptionsOf(spec),
        workflow: {
            name,
            ...omitUndefined({ retry, priority, maxRunning }),
            async run(args, context) {
                const checked = check(args);
                if (!checked.ok)
                    return errorResult(invalidArguments(name, checked.message));
                const scope = { kind: 'tool', name, taskId: context.taskId };
                const given = durableContext(context, scope, check);
                const run = () => asWorkflow(name, given, async (guarded) => replayedParts(what, await spec.run(checked.value, guarded), guarded));
                const value = await inFeature(scope, () => withUrlsOpened(context, run));
                return toCallToolResult(what, value, spec.output);
            },
            resultOfFailure: ({ message }) => errorResult(message),
            ...(spec.cleanUp !== undefined && {
                cleanUp: (task) => inFeature({ kind: 'tool', name, taskId: task.taskId }, async () => spec.cleanUp?.(task)),
            }),
        },
    };
}
/** @param check of the arguments that a run begins with: wrong ones are reported where they are given, not in the next run */
function durableContext(context, scope, check) {
    // Steps start when the pass lets them, out of its own code; what they run is the feature's all the same.
    const step = (name, run, options) => context.step(name, (given) => inFeature(scope, () => run(given)), options);
    return Object.assign(withClientContext(context), {
        step,
        continueAsNew: async (args) => {
            const checked = check(args);
            if (!checked.ok)
                throw new TypeError(`continueAsNew: ${invalidArguments(scope.name, checked.message)}`);
            return context.continueAsNew(args);
        },
    });
}
function taskOptionsOf({ ttlMs, pollIntervalMs, maxRunMs, maxWaitMs, maxRunning, priority, immediateResponse }) {
    return omitUndefined({ ttlMs, pollIntervalMs, maxRunMs, maxWaitMs, maxRunning, priority, immediateResponse });
}
function requireMaxRunning(owner, maxRunning) {
    if (maxRunning !== undefined && !(Number.isSafeInteger(maxRunning) && maxRunning >= 1))
        throw new TypeError(`${owner}: maxRunning must be a whole number from 1, and is ${maxRunning}.`);
}
function argumentsCheck(input) {
    return (args) => {
        const parsed = isZod(input) ? parseUntrusted(input, args ?? {}) : { success: true, data: args ?? {} };
        return parsed.success ? { ok: true, value: parsed.data } : { ok: false, message: describeIssues(parsed.error) };
    };
}
function isZod(input) {
    return 'safeParse' in input;
}
/** The text of the result that a call with wrong arguments gets. */
export function invalidArguments(tool, message) {
    return `Invalid arguments for tool ${tool}: ${message}`;
}
function listingOf(spec) {
    const { name, title, description, input, output, annotations, icons, task = 'forbidden', _meta } = spec;
    return omitUndefined({
        name,
        title,
        description,
        inputSchema: rawSchemaOf(input),
        outputSchema: output === undefined ? undefined : z.toJSONSchema(output),
        annotations,
        execution: task === 'forbidden' ? undefined : { taskSupport: task },
        icons,
        _meta,
    });
}
/** @throws RangeError for a tool that clients would leave out */
function headerParamsIn({ name, inputSchema }) {
    try {
        return headerParamsOf(inputSchema);
    }
    catch (error) {
        throw new RangeError(`Tool ${name}: ${error.message}`, { cause: error });
    }
}
function rawSchemaOf(input) {
    return isZod(input) ? z.toJSONSchema(input, { io: 'input' }) : input;
}
//# sourceMappingURL=define-tool.js.map