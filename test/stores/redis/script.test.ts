/** Tests how scripts are defined and called, on a real Redis. */
import { defineScript, faultOf, script } from '@longhaul/redis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestRedis, type TestRedis } from '../../support/redis.js';

let test: TestRedis;
beforeAll(() => {
  test = openTestRedis();
});
afterAll(() => test.cleanUp());

it('finds its keys and arguments by their names, as texts, numbers and flags, in any order', async () => {
  const run = defineScript(
    test.redis,
    script({
      keys: ['firstKey', 'secondKey'],
      texts: ['someText'],
      numbers: ['maxBytes', 'share'],
      flags: ['isOn', 'isOff'],
      rest: 'firstItem',
      lua: `return cjson.encode({first_key, second_key, some_text, max_bytes + 1, share * 2, is_on, is_off, {unpack(ARGV, first_item)}})`,
      reply: (json: string) => JSON.parse(json) as unknown,
    }),
  );
  const keys = { secondKey: 'b', firstKey: 'a' };
  const args = { isOff: false, isOn: true, share: 0.25, maxBytes: 9, someText: '1e3' };

  expect(await run(keys, args, ['x', 7])).toEqual(['a', 'b', '1e3', 10, 0.5, true, false, ['x', '7']]);
});

it('finds no key and no number in place of those that are left out, and an empty text', async () => {
  const run = defineScript(
    test.redis,
    script({
      keys: ['key', 'other?'],
      texts: ['text?'],
      numbers: ['number?'],
      lua: `return {#KEYS, tostring(other), text, tostring(number)}`,
      reply: (found: unknown[]) => found,
    }),
  );

  expect(await run({ key: 'a' }, {})).toEqual([1, 'nil', '', 'nil']);
  expect(await run({ key: 'a', other: 'b' }, { text: 't', number: 0 })).toEqual([2, 'b', 't', '0']);
});

it('has the time of Redis, in epoch milliseconds', async () => {
  const run = defineScript(test.redis, script({ keys: ['key'], lua: `return {now_ms(), key}`, reply: (found: unknown[]) => found }));
  const timeMs = async () => {
    const [seconds, micros] = await test.redis.time();
    return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
  };

  const before = await timeMs();
  const [now, key] = await run({ key: 'a' }, {});
  expect(key).toBe('a');
  expect(now).toBeGreaterThanOrEqual(before);
  expect(now).toBeLessThanOrEqual(await timeMs());
});

it('is called with several sets of keys at once', async () => {
  const run = defineScript(
    test.redis,
    script({
      keys: ['first'],
      sets: ['one', 'two'],
      lua: `
local found = {}
for number = 1, sets do
  local one, two = keys_of(number)
  found[number] = first .. one .. two
end
return found
`,
      reply: (found: string[]) => found,
    }),
  );

  const sets = [
    { one: 'a', two: 'b' },
    { two: 'd', one: 'c' },
  ];
  expect(await run({ first: 'f' }, {}, [], sets)).toEqual(['fab', 'fcd']);
});

it('is sent again to a server that has lost its scripts', async () => {
  const run = defineScript(test.redis, script({ keys: ['key'], lua: `return key`, reply: (key: string) => key }));
  expect(await run({ key: 'a' }, {})).toBe('a');
  await test.redis.script('FLUSH');
  expect(await run({ key: 'b' }, {})).toBe('b');
});

it.each([
  ['that does not compile', 'local'],
  ['that calls what there is not', `return nothing()`],
  ['that takes a key for one of another type', `redis.call('SET', key, 1, 'PX', 1000) return redis.call('HGET', key, 'field')`],
])('has a fault of its own, which is no outage: one %s', async (_title, lua) => {
  const run = defineScript(test.redis, script({ keys: ['key'], lua }));
  const error: unknown = await run({ key: `${test.prefix}:key` }, {}).catch((thrown: unknown) => thrown);

  expect(error).toMatchObject({ name: 'ReplyError' });
  expect(faultOf(error)).toBeUndefined();
});
