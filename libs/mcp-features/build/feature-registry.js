import { FIELD_LIMITS, tooLong } from '@longhaul/tasks';
import { fingerprintOf } from './feature-code.js';
import { createListings } from './listings.js';
/** @throws RangeError when two features of a kind share what they are called by, or one is called by what no client could send */
export function createFeatureRegistry(features) {
    const tools = ofKind(features, 'tool');
    const prompts = ofKind(features, 'prompt');
    const resources = ofKind(features, 'resource');
    const resourceTemplates = ofKind(features, 'resource-template');
    const sessionJobs = ofKind(features, 'session-job');
    const toolsByName = byKey('tools', tools, ({ name }) => name);
    const promptsByName = byKey('prompts', prompts, ({ name }) => name);
    const resourcesByUri = byKey('resources', resources, ({ uri }) => uri, FIELD_LIMITS.uriBytes);
    const templatesByText = byKey('resource templates', resourceTemplates, ({ uriTemplate }) => uriTemplate, FIELD_LIMITS.uriBytes);
    const jobsByName = byKey('session jobs', sessionJobs, ({ name }) => name);
    return {
        features,
        tools,
        prompts,
        resources,
        resourceTemplates,
        sessionJobs,
        listings: {
            tools: createListings(tools),
            prompts: createListings(prompts),
            resources: createListings(resources),
            resourceTemplates: createListings(resourceTemplates.filter(({ isListed }) => isListed)),
        },
        fingerprint: fingerprintOf(features),
        tool: (name) => toolsByName.get(name),
        prompt: (name) => promptsByName.get(name),
        findResource(uri) {
            const resource = resourcesByUri.get(uri);
            return resource === undefined ? findByTemplate(resourceTemplates, uri) : { resource };
        },
        resourceTemplate: (uriTemplate) => templatesByText.get(uriTemplate),
        sessionJob: (name) => jobsByName.get(name),
        workflow: (name) => {
            const tool = toolsByName.get(name);
            return tool === undefined || tool.taskSupport === 'forbidden' ? undefined : tool.workflow;
        },
    };
}
function ofKind(features, kind) {
    return features.filter((feature) => feature.kind === kind);
}
function byKey(kind, features, keyOf, maxBytes = FIELD_LIMITS.nameBytes) {
    const found = new Map();
    for (const feature of features) {
        const key = keyOf(feature);
        const problem = tooLong(`What one of the ${kind} is named by`, key, maxBytes);
        if (problem !== undefined)
            throw new RangeError(`${problem}.`);
        if (found.has(key))
            throw new RangeError(`Two ${kind} are named "${key}".`);
        found.set(key, feature);
    }
    return found;
}
function findByTemplate(templates, uri) {
    for (const template of templates) {
        const variables = template.match(uri);
        if (variables !== undefined)
            return { template, variables };
    }
    return undefined;
}
//# sourceMappingURL=feature-registry.js.map