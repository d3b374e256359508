/** An error that reaches the caller: a refused value, or git's own message. Any other error is a fault of this package. */
export class GitFailure extends Error {
  override readonly name: string = 'GitFailure';
}

/** A git command that has ended with an error, in the words of GitPython, which the reference server shows. */
export class CommandFailure extends GitFailure {
  override readonly name = 'CommandFailure';

  /** @param shown the command as the reference server would run it */
  constructor(
    shown: readonly string[],
    readonly exitCode: number,
    readonly stderr: string,
    stdout = '',
  ) {
    const output = [stdout === '' ? '' : `\n  stdout: '${stdout}'`, stderr === '' ? '' : `\n  stderr: '${stderr}'`];
    super(`Cmd('git') failed due to: exit code(${exitCode})\n  cmdline: git ${shown.join(' ')}${output.join('')}`);
  }
}

/** Refuses a value that git could take for an option. @param what it is, as in `Invalid revision` */
export function refuseOption(what: string, value: string | null | undefined): void {
  if (value?.startsWith('-') === true) throw new GitFailure(`${what}: '${value}' - cannot start with '-'`);
}
