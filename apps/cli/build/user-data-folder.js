import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
/** Where each system wants programs to keep what belongs to a user. */
const PLACES = {
    darwin: (_env, home) => join(home, 'Library', 'Application Support'),
    win32: (env, home) => env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'),
};
/**
 * The folder for a user's data, absolute if the home folder is.
 *
 * @param home of the user; known to the system also where no variable names it
 */
export function userDataFolder(env, platform = process.platform, home = env['HOME'] || homedir()) {
    const place = PLACES[platform] ?? (() => env['XDG_DATA_HOME'] || join(home, '.local', 'share'));
    return join(place(env, home), 'longhaul');
}
/**
 * The environment with a data folder for `longhaul stdio`, which desktop clients start in folders of their choice, some of which
 * cannot be written: that of the working folder if it is there, as `longhaul start` makes it, and else one of the user's. One that
 * is named is left alone.
 */
export function withDataOfUser(env, cwd) {
    if ((env['LONGHAUL_DATA_DIR'] ?? '') !== '' || existsSync(join(cwd, '.longhaul')))
        return env;
    return { ...env, LONGHAUL_DATA_DIR: userDataFolder(env) };
}
//# sourceMappingURL=user-data-folder.js.map