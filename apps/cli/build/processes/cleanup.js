/** Starts with nothing to undo. */
export function createCleanup() {
    const undos = [];
    const hurries = [];
    return {
        add: (undo) => void undos.push(undo),
        onInsist: (hurry) => void hurries.push(hurry),
        insist: () => {
            for (const hurry of hurries)
                hurry();
        },
        async run() {
            const failures = [];
            for (let undo = undos.pop(); undo !== undefined; undo = undos.pop()) {
                try {
                    await undo();
                }
                catch (error) {
                    failures.push(error);
                }
            }
            return failures;
        },
    };
}
//# sourceMappingURL=cleanup.js.map