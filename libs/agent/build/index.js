export { textOfContent, toolContent } from './conversation/tool-content.js';
export { createEndpointModel } from './endpoint/endpoint-model.js';
export { createProcessHost } from './loop/process-host.js';
export { runAgent } from './loop/run-agent.js';
export { ModelError } from './model/model-error.js';
export { withApproval } from './tools/approval.js';
export { mergedToolbox } from './tools/merged-toolbox.js';
export { nameTools } from './tools/tool-names.js';
export { connectServer, ServerStartError } from './servers/connect-server.js';
export { openServers } from './servers/open-servers.js';
export { samplingWith } from './servers/sampling-with.js';
export { askBefore } from './servers/server-config.js';
export { serverToolbox } from './servers/server-toolbox.js';
export { parseServers, readServers } from './servers/servers-file.js';
export {} from './named-models.js';
export { readSettings, readSystemPrompt } from './settings.js';
//# sourceMappingURL=index.js.map