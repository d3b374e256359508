import type { Prompt } from './define-prompt.js';
import type { ResourceTemplate } from './define-resource-template.js';
import type { Resource } from './define-resource.js';
import type { SessionJob } from './define-session-job.js';
import type { Tool } from './tool.js';

/** Anything that a module of features may export. */
export type Feature = Tool | Prompt | Resource | ResourceTemplate | SessionJob;
