import type { RedisClient } from '../redis-connection.js';

/**
 * One script, so that a short history, which nearly all are, is read together with the size of the whole in one
 * round trip, and a long one comes in parts: a reply of 64 MiB would be held twice by everybody who passes it on.
 */
const READ_PAGE = `
local events, view = KEYS[1], KEYS[2]
local after, max_bytes = ARGV[1], tonumber(ARGV[2])
local chunk = 32
local page, size, from, is_last = {}, 0, '(' .. after, false
while size < max_bytes and not is_last do
  local entries = redis.call('XRANGE', events, from, '+', 'COUNT', chunk)
  is_last = #entries < chunk
  for i, entry in ipairs(entries) do
    page[#page + 1] = entry
    size = size + #entry[2][2] + #entry[2][4] + #entry[2][6]
    from = '(' .. entry[1]
    if size >= max_bytes then
      is_last = is_last and i == #entries
      break
    end
  end
end
return {is_last and 1 or 0, tonumber(redis.call('HGET', view, 'bytes') or '0'), page}
`;

/** Entries with their ids and fields; whether they are the last; bytes of the whole history. */
export type PageReply = [isLast: 0 | 1, bytes: number, entries: [id: string, fields: string[]][]];

interface WithReadPage {
  longhaulReadPage(eventsKey: string, viewKey: string, after: string, maxBytes: number): Promise<PageReply>;
}

/** Defines the script on the client and returns the only function that calls it. @param after id of an entry */
export function defineReadPage(redis: RedisClient): WithReadPage['longhaulReadPage'] {
  redis.defineCommand('longhaulReadPage', { numberOfKeys: 2, lua: READ_PAGE });
  const client = redis as RedisClient & WithReadPage;
  return (eventsKey, viewKey, after, maxBytes) => client.longhaulReadPage(eventsKey, viewKey, after, maxBytes);
}
