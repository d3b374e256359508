import { type Probe, request } from '../support/probe.js';

const get = (name: string, args?: Record<string, unknown>): Probe =>
  request('prompts/get', { name, ...(args !== undefined && { arguments: args }) });

const complete = (name: string, argument: string, value: string, given?: Record<string, string>): Probe =>
  request('completion/complete', {
    ref: { type: 'ref/prompt', name },
    argument: { name: argument, value },
    ...(given !== undefined && { context: { arguments: given } }),
  });

export const prompts: readonly Probe[] = [
  get('simple-prompt'),
  get('simple-prompt', {}),
  get('simple-prompt', { unknown: 'argument' }),
  get('args-prompt', { city: 'Bergen' }),
  get('args-prompt', { city: 'Austin', state: 'Texas' }),
  get('args-prompt', { city: 'Austin', state: '' }),
  get('args-prompt', { city: '', state: 'Texas' }),
  get('args-prompt', { state: 'Texas' }),
  get('args-prompt', { city: 1 }),
  get('args-prompt'),
  get('completable-prompt', { department: 'Sales', name: 'Eve' }),
  get('completable-prompt', { department: 'Choir', name: 'Zoe' }),
  get('completable-prompt', { department: 'Sales' }),
  get('completable-prompt', {}),
  get('resource-prompt', { resourceType: 'Text', resourceId: '1' }),
  get('resource-prompt', { resourceType: 'Blob', resourceId: '2' }),
  get('resource-prompt', { resourceType: 'Text', resourceId: '3.0' }),
  get('resource-prompt', { resourceType: 'Blob', resourceId: '1e3' }),
  get('resource-prompt', { resourceType: 'text', resourceId: '1' }),
  get('resource-prompt', { resourceType: 'Text', resourceId: '0' }),
  get('resource-prompt', { resourceType: 'Text', resourceId: '-1' }),
  get('resource-prompt', { resourceType: 'Text', resourceId: '1.5' }),
  get('resource-prompt', { resourceType: 'Text', resourceId: 'one' }),
  get('resource-prompt', { resourceType: 'Text', resourceId: '' }),
  get('resource-prompt', { resourceType: 'Text' }),
  get('resource-prompt'),
  get('no-such-prompt'),
  ...['', 'S', 's', 'Sales', 'X'].map((value) => complete('completable-prompt', 'department', value)),
  ...['Engineering', 'Sales', 'Marketing', 'Support', 'Choir'].map((department) =>
    complete('completable-prompt', 'name', '', { department }),
  ),
  complete('completable-prompt', 'name', 'E', { department: 'Sales' }),
  complete('completable-prompt', 'name', 'e', { department: 'Sales' }),
  complete('completable-prompt', 'name', ''),
  complete('completable-prompt', 'no-such-argument', ''),
  ...['', 'T', 'Blob', 'b'].map((value) => complete('resource-prompt', 'resourceType', value)),
  ...['', '1', '0', '-1', '1.0', '1.5', 'one'].map((value) => complete('resource-prompt', 'resourceId', value)),
  complete('args-prompt', 'city', 'B'),
  complete('simple-prompt', 'city', 'B'),
  complete('no-such-prompt', 'city', 'B'),
];
