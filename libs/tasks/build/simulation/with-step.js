/** The workflow, whose steps are those that `stepOf` makes of its context. */
export function withStep(workflow, stepOf) {
    return {
        ...workflow,
        run(args, context) {
            // The signal is a getter, and stays one.
            const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(context));
            const given = Object.defineProperty(copy, 'step', { value: stepOf(context), enumerable: true });
            return workflow.run(args, given);
        },
    };
}
//# sourceMappingURL=with-step.js.map