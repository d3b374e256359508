/** Passes on what a server logs within a request, to the client of the request. */
import type { RequestContext } from '@longhaul/mcp-features';
import { cutWithNote } from '@longhaul/runtime/cut-bytes';
import { loggerOf, type ServerLog } from '@longhaul/servers';
import { FIELD_LIMITS } from '@longhaul/tasks';

/** Of a request. */
const MAX_MESSAGES = 1_000;
/** Of data that is cut, bytes: as a text it has more. */
const CUT_BYTES = FIELD_LIMITS.logDataBytes / 4;

export function passedLog({ log }: Pick<RequestContext, 'log'>): (message: ServerLog) => void {
  let passed = 0;
  return ({ server, level, logger, data = null }) => {
    passed += 1;
    if (passed > MAX_MESSAGES + 1) return;
    if (passed > MAX_MESSAGES)
      return log('notice', `More than ${MAX_MESSAGES} messages of the server are left out.`, loggerOf(server, undefined));
    const json = JSON.stringify(data);
    const isShort = Buffer.byteLength(json) <= FIELD_LIMITS.logDataBytes;
    log(level, isShort ? data : cutWithNote(json, CUT_BYTES), loggerOf(server, logger));
  };
}
