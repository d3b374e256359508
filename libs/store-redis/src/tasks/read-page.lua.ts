import { script } from '@longhaul/redis';

/**
 * One script, so that a short history, as nearly all are, is read together with its whole size in one round trip. A long history comes in
 * parts: a reply of 64 MiB would be held twice by each process that passes it on.
 */
export const READ_PAGE = script({
  keys: ['events', 'view', 'keptView'],
  texts: ['after'],
  numbers: ['maxBytes'],
  lua: `
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
local bytes = redis.call('HGET', view, 'bytes') or redis.call('HGET', kept_view, 'bytes')
return {is_last and 1 or 0, tonumber(bytes or '0'), page}
`,
  reply: ([isLast, bytes, entries]: PageReply) => ({ isLast: isLast === 1, bytes, entries }),
});

/** Whether the entries are the last; bytes of the whole history; entries with their ids and fields. */
type PageReply = [isLast: 0 | 1, bytes: number, entries: [id: string, fields: string[]][]];
