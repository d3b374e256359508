/**
 * The one way to define and to call a Lua script. A script is written down with names for its keys and arguments; callers
 * name them too, and Lua finds them as locals of the same names in its own spelling (`taskId` is `task_id`). So nobody
 * counts positions, and a number is a number in Lua. `now_ms()` is the time of Redis, which all processes share. Scripts are
 * named by their hash, so that two of them never meet on a client.
 *
 * A call rejects with the error of Redis as it is: `faultOf` distinguishes an outage from a mistake in the script.
 */
import { createHash } from 'node:crypto';
import { FITS_WHEN_FULL, REFUSED_WHEN_FULL } from './when-full.js';
/** Writes a script down, with the names of its keys and arguments as types. */
export function script(written) {
    return written;
}
/** Defines a script on a client. */
export function defineScript(redis, written) {
    const { keys: keyNames, sets: setNames = [], texts = [], numbers = [], flags = [], reply } = written;
    const keysInOrder = keyNames.map(plain);
    const argumentNames = [...texts, ...numbers, ...flags].map(plain);
    const lua = luaOf(written);
    const name = `longhaul${createHash('sha1').update(lua).digest('hex')}`;
    redis.defineCommand(name, { lua });
    const client = redis;
    const run = async (keysByName, args, rest = [], sets = []) => {
        const ofSets = sets.flatMap((set) => setNames.map((key) => set[key]));
        const keys = [...keysInOrder.map((key) => keysByName[key]).filter((key) => key !== undefined), ...ofSets];
        const raw = await client[name]?.(keys.length, ...keys, ...argumentNames.map((argument) => textOf(args[argument])), ...rest);
        return reply?.(raw);
    };
    return run;
}
/** Epoch milliseconds, which are the same as long as a script runs. */
const NOW_MS = `local known_now_ms
local function now_ms()
  if not known_now_ms then
    local time = redis.call('TIME')
    known_now_ms = time[1] * 1000 + math.floor(time[2] / 1000)
  end
  return known_now_ms
end
`;
function luaOf({ keys, sets, texts = [], numbers = [], flags = [], rest, whenFull = 'runs', lua }) {
    const valueOf = (at) => {
        if (at < texts.length)
            return `ARGV[${at + 1}]`;
        return at < texts.length + numbers.length ? `tonumber(ARGV[${at + 1}])` : `ARGV[${at + 1}] == '1'`;
    };
    const names = [...texts, ...numbers, ...flags];
    const locals = [
        bound(keys, (at) => `KEYS[${at + 1}]`),
        sets === undefined ? '' : setsOf(sets, keys.length),
        bound(names, valueOf),
        rest === undefined ? '' : `local ${inLua(rest)} = ${names.length + 1}\n`,
        lua.includes('now_ms()') ? NOW_MS : '',
    ];
    return (whenFull === 'runs' ? FITS_WHEN_FULL : REFUSED_WHEN_FULL) + locals.join('') + lua;
}
function setsOf({ length: size }, others) {
    const ofOne = Array.from({ length: size }, (_, index) => `KEYS[at + ${index + 1}]`).join(', ');
    const at = `${others} + ${size} * (number - 1)`;
    return `local sets = (#KEYS - ${others}) / ${size}\nlocal function keys_of(number)\n  local at = ${at}\n  return ${ofOne}\nend\n`;
}
function bound(names, valueOf) {
    return names.length === 0 ? '' : `local ${names.map(inLua).join(', ')} = ${names.map((_, at) => valueOf(at)).join(', ')}\n`;
}
function textOf(value) {
    return typeof value === 'boolean' ? Number(value) : (value ?? '');
}
function plain(name) {
    return name.endsWith('?') ? name.slice(0, -1) : name;
}
function inLua(name) {
    return plain(name).replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
//# sourceMappingURL=script.js.map