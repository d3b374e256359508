import { complete } from './complete.js';
import { getPrompt } from './get-prompt.js';
import { listPrompts, listResources, listResourceTemplates, listTools } from './lists.js';
import { readResource } from './read-resource.js';
/** The methods of tools, prompts, resources and completion that are the same in all protocol versions. */
export function featureMethods({ features, contextOf, pageSize }) {
    return [
        listTools(features, pageSize),
        listPrompts(features, pageSize),
        getPrompt(features, contextOf),
        listResources(features, contextOf, pageSize),
        listResourceTemplates(features, pageSize),
        readResource(features, contextOf),
        complete(features, contextOf),
    ];
}
//# sourceMappingURL=feature-methods.js.map