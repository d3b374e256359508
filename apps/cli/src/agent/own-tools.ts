/** Provides a tool for an agent without servers, so that the user can try it. */
import type { Toolbox } from '@longhaul/agent';
import { getDate } from '@longhaul/everything/get-date';
import type { RequestContext } from '@longhaul/mcp-features';

/** The name that is shown for its tools, instead of a server's name. */
const OWN = 'longhaul';

/** `get-date`, which runs in this process. */
export function ownTools(): Toolbox {
  const tool = getDate(Date.now);
  return {
    tools: [{ name: tool.name, server: OWN, listed: tool.listing }],
    call: async (request) => {
      const checked = tool.check(request.arguments);
      if (!checked.ok) return { isError: true, content: [{ type: 'text', text: checked.message }] };
      return tool.call(request.arguments, NOTHING);
    },
  };
}

// The tool only reads the clock.
const NOTHING = {} as RequestContext;
