/** What reaches the caller: a value that is refused, or what git says. Everything else that is thrown is a fault of ours. */
export class GitFailure extends Error {
    name = 'GitFailure';
}
/** A git command that has ended with an error, in the words of GitPython, which the reference server shows. */
export class CommandFailure extends GitFailure {
    exitCode;
    stderr;
    name = 'CommandFailure';
    /** @param shown the command as the reference server would run it */
    constructor(shown, exitCode, stderr, stdout = '') {
        const output = [stdout === '' ? '' : `\n  stdout: '${stdout}'`, stderr === '' ? '' : `\n  stderr: '${stderr}'`];
        super(`Cmd('git') failed due to: exit code(${exitCode})\n  cmdline: git ${shown.join(' ')}${output.join('')}`);
        this.exitCode = exitCode;
        this.stderr = stderr;
    }
}
/** Refuses a value that git could take for an option. @param what it is, as in `Invalid revision` */
export function refuseOption(what, value) {
    if (value?.startsWith('-') === true)
        throw new GitFailure(`${what}: '${value}' - cannot start with '-'`);
}
//# sourceMappingURL=git-failure.js.map