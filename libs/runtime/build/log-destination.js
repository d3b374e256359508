/**
 * Where a process logs: for people, where it is asked for or somebody reads along, otherwise as JSON.
 *
 * @param format @defaultValue `pretty` on a terminal, otherwise `json`
 * @returns nothing for JSON on standard output, which is what a logger does by itself
 */
export async function logDestination(format = process.stdout.isTTY ? 'pretty' : 'json') {
    if (format === 'json')
        return undefined;
    // Loaded only here: nobody needs it where logs are collected.
    const { default: pretty } = await import('pino-pretty');
    // At once, so that the last line of a process is not lost with it.
    return pretty({ colorize: process.stdout.isTTY, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l', sync: true });
}
//# sourceMappingURL=log-destination.js.map