import { searchOf, skipSpace } from './text-search.js';
/** Prepares a text. */
export function callSource(text, tools) {
    /** Whether a closing tag is followed by one of these, or by the end. Otherwise it belongs to the value. */
    const followedBy = (closing, followers) => (index) => {
        const next = skipSpace(text, index + closing.length);
        return next === text.length || followers.some((follower) => text.startsWith(follower, next));
    };
    return {
        text,
        tools: new Map(tools.map((tool) => [tool.name, tool])),
        parameterEnd: searchOf(text, '</parameter>', followedBy('</parameter>', ['<parameter=', '</function>', '</tool_call>'])),
        argumentEnd: searchOf(text, '</arg_value>', followedBy('</arg_value>', ['<arg_key>', '</tool_call>'])),
        keyEnd: searchOf(text, '</arg_key>'),
    };
}
//# sourceMappingURL=call-source.js.map