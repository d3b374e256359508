export { Catalogue, type CatalogueOptions } from './catalogue.js';
export type { ServerStatus } from './server-status.js';
export { usedDefaults } from './default-arguments.js';
export { exportedName, exportedTool } from './exported-name.js';
export { openProxy, type Proxy, type ProxyOptions } from './open-proxy.js';
export { servedTool, type ServedTool, type TaskSupport } from './served-tool.js';
export type { Snapshot } from './snapshot.js';
