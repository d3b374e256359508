/** Follows a process from its start to its end. */
export function followChild(name, child) {
    const ended = new Promise((resolve) => {
        child.once('error', (error) => resolve(error.message));
        // Not `exit`: its last words come before.
        child.once('close', (code, signal) => resolve(signal ?? `exit code ${code}`));
    });
    return {
        name,
        pid: child.pid,
        ended,
        async stop(graceMs) {
            if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined)
                return;
            const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
            child.kill('SIGTERM');
            await ended;
            clearTimeout(timer);
        },
        kill: () => void child.kill('SIGKILL'),
    };
}
//# sourceMappingURL=child.js.map