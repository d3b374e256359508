/** The servers of a deployment for operators: reports and orders. It needs no connection to any server. */
export { type MergedServer, mergedServers } from './deployment/merged-servers.js';
export { type ProcessReport, reportIn, SERVER_STATES, type ServerReport, type ToolReport } from './deployment/server-report.js';
export { type Said, ServerSwitches, SWITCH_LIMITS } from './deployment/server-switches.js';
