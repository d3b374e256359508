/**
 * Defines and calls Lua scripts; no other module does. A script names its keys and arguments; callers use the same names, and Lua has them
 * as locals in its own spelling (`taskId` is `task_id`). So the code contains no positions, and a number is a number in Lua. `now_ms()` is
 * the time of Redis, which all processes share. Scripts are named by their hash, so that two of them never collide on a client.
 *
 * A call rejects with the unchanged error of Redis: `faultOf` distinguishes an outage from a mistake in the script.
 */
import { createHash } from 'node:crypto';
import type { RedisClient } from './client.js';
import { FITS_WHEN_FULL, REFUSED_WHEN_FULL } from './when-full.js';

/** A name that ends in `?` may be absent: then it is nil in Lua, or `''` for a text. Only the last keys may be absent. */
type Values<Name extends string, Value> = {
  readonly [Key in Name as Key extends `${string}?` ? never : Key]: Value;
} & {
  readonly [Key in Name as Key extends `${infer Optional}?` ? Optional : never]?: Value | undefined;
};

/** A script that is not defined on a client yet. */
export interface Script<
  Key extends string,
  SetKey extends string,
  Text extends string,
  Count extends string,
  Flag extends string,
  Raw,
  Reply,
> {
  /** On a cluster all of them must be in one slot: they share a hash tag. */
  readonly keys: readonly Key[];
  /**
   * For a script that takes any number of sets of further keys: their names within a set. Then `sets` is the number of sets, and
   * `keys_of(number)` returns the keys of one, from 1. No other key may be absent then.
   */
  readonly sets?: readonly SetKey[];
  readonly texts?: readonly Text[];
  readonly numbers?: readonly Count[];
  readonly flags?: readonly Flag[];
  /** For a script that takes further arguments: the name for the number of the first one. They are `ARGV[name]` and those after it. */
  readonly rest?: string;
  /** How the script behaves while Redis is out of memory. @defaultValue `runs` */
  readonly whenFull?: 'runs' | 'refused';
  readonly lua: string;
  /** Converts Redis' reply to the caller's result. @defaultValue nothing */
  readonly reply?: (raw: Raw) => Reply;
}

/** The arguments of a script by name. */
type ArgumentsOf<Text extends string, Count extends string, Flag extends string> = Values<Text, string> &
  Values<Count, number> &
  Values<Flag, boolean>;

/** Calls a script. Rejects with the errors of ioredis. */
type Run<Keys, SetKeys, Arguments, Reply> = (
  keys: Keys,
  args: Arguments,
  rest?: readonly (string | number)[],
  sets?: readonly SetKeys[],
) => Promise<Reply>;

/** How a script is called once it is defined on a client. */
export type RunScript<S> =
  S extends Script<infer Key, infer SetKey, infer Text, infer Count, infer Flag, infer _Raw, infer Reply>
    ? Run<Values<Key, string>, Values<SetKey, string>, ArgumentsOf<Text, Count, Flag>, Reply>
    : never;

/** Writes a script down, with the names of its keys and arguments as types. */
export function script<
  const Key extends string,
  const SetKey extends string = never,
  const Text extends string = never,
  const Count extends string = never,
  const Flag extends string = never,
  Raw = unknown,
  Reply = void,
>(written: Script<Key, SetKey, Text, Count, Flag, Raw, Reply>): Script<Key, SetKey, Text, Count, Flag, Raw, Reply> {
  return written;
}

// oxlint-disable-next-line typescript/no-explicit-any -- any script: what it is called with is checked by its `RunScript`
type AnyScript = Script<string, string, string, string, string, any, unknown>;
type Value = string | number | boolean | undefined;
type ValuesByName = Readonly<Record<string, Value>>;

/** Defines a script on a client. */
export function defineScript<S extends AnyScript>(redis: RedisClient, written: S): RunScript<S> {
  const { keys: keyNames, sets: setNames = [], texts = [], numbers = [], flags = [], reply } = written;
  const keysInOrder = keyNames.map(plain);
  const argumentNames = [...texts, ...numbers, ...flags].map(plain);
  const lua = luaOf(written);
  const name = `longhaul${createHash('sha1').update(lua).digest('hex')}`;
  redis.defineCommand(name, { lua });
  const client = redis as unknown as Readonly<Record<string, (...all: readonly unknown[]) => Promise<unknown>>>;
  const run = async (
    keysByName: ValuesByName,
    args: ValuesByName,
    rest: readonly (string | number)[] = [],
    sets: readonly ValuesByName[] = [],
  ) => {
    const ofSets = sets.flatMap((set) => setNames.map((key) => set[key]));
    const keys = [...keysInOrder.map((key) => keysByName[key]).filter((key) => key !== undefined), ...ofSets];
    const raw = await client[name]?.(keys.length, ...keys, ...argumentNames.map((argument) => textOf(args[argument])), ...rest);
    return reply?.(raw);
  };
  return run as RunScript<S>;
}

/** Epoch milliseconds, which stay the same while a script runs. */
const NOW_MS = `local known_now_ms
local function now_ms()
  if not known_now_ms then
    local time = redis.call('TIME')
    known_now_ms = time[1] * 1000 + math.floor(time[2] / 1000)
  end
  return known_now_ms
end
`;

function luaOf({ keys, sets, texts = [], numbers = [], flags = [], rest, whenFull = 'runs', lua }: AnyScript): string {
  const valueOf = (at: number): string => {
    if (at < texts.length) return `ARGV[${at + 1}]`;
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

function setsOf({ length: size }: readonly string[], others: number): string {
  const ofOne = Array.from({ length: size }, (_, index) => `KEYS[at + ${index + 1}]`).join(', ');
  const at = `${others} + ${size} * (number - 1)`;
  return `local sets = (#KEYS - ${others}) / ${size}\nlocal function keys_of(number)\n  local at = ${at}\n  return ${ofOne}\nend\n`;
}

function bound(names: readonly string[], valueOf: (at: number) => string): string {
  return names.length === 0 ? '' : `local ${names.map(inLua).join(', ')} = ${names.map((_, at) => valueOf(at)).join(', ')}\n`;
}

function textOf(value: Value): string | number {
  return typeof value === 'boolean' ? Number(value) : (value ?? '');
}

function plain(name: string): string {
  return name.endsWith('?') ? name.slice(0, -1) : name;
}

function inLua(name: string): string {
  return plain(name).replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
