import { getDate } from '@longhaul/everything/get-date';
/** As what its tools are shown, in place of a server. */
const OWN = 'longhaul';
/** `get-date`, which runs in this process. */
export function ownTools() {
    const tool = getDate(Date.now);
    return {
        tools: [{ name: tool.name, server: OWN, listed: tool.listing }],
        call: async (request) => {
            const checked = tool.check(request.arguments);
            if (!checked.ok)
                return { isError: true, content: [{ type: 'text', text: checked.message }] };
            return tool.call(request.arguments, NOTHING);
        },
    };
}
// The tool only reads the clock.
const NOTHING = {};
//# sourceMappingURL=own-tools.js.map