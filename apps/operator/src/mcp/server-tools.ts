/** Defines the tools with which an assistant looks after proxied servers. */
import { z } from 'zod';
import { RestartServer, ServerList, ServerPath, SwitchServer } from '../routes/server-routes.js';
import { ServerDetails } from '../schemas/server.js';
import { type OperatorTool, READS, tool } from './tool-spec.js';

const CHANGES = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false };

const pathOf = (name: string): string => `/servers/${encodeURIComponent(name)}`;

export const READING_SERVERS: readonly OperatorTool[] = [
  tool({
    name: 'list-servers',
    title: 'List servers',
    description:
      'The MCP servers behind the proxies of the deployment: how each is, its last error, and how many calls it had and how long they took.',
    input: z.strictObject({}),
    output: ServerList,
    annotations: READS,
    run: (_input, api) => api.get('/servers'),
  }),
  tool({
    name: 'show-server',
    title: 'Show a server',
    description: 'A proxied server with its tools: calls, errors and how long they took, and who has turned which off.',
    input: ServerPath,
    output: ServerDetails,
    annotations: READS,
    run: ({ name }, api) => api.get(pathOf(name)),
  }),
];

export const CHANGING_SERVERS: readonly OperatorTool[] = [
  tool({
    name: 'restart-server',
    title: 'Restart a server',
    description:
      'Has all processes end their connections to a proxied server and open new ones. Calls that run lose it. `reason` goes to the audit log.',
    input: ServerPath.extend(RestartServer.shape),
    output: ServerDetails,
    annotations: { ...CHANGES, idempotentHint: false },
    run: ({ name, reason }, api) => api.post(`${pathOf(name)}/restart`, { reason }),
  }),
  ...(['off', 'on'] as const).map((verb) =>
    tool({
      name: `turn-${verb}-server`,
      ...{
        off: {
          title: 'Turn a server off',
          description:
            'Turns a proxied server, or only its `tool`, off in all processes until it is turned on. Clients no longer see it, and running calls lose a server that is turned off. `reason` is shown with it.',
        },
        on: {
          title: 'Turn a server on',
          description:
            'Turns a proxied server, or only its `tool`, on again. Tools that are off by themselves stay off when their server is turned on. `reason` goes to the audit log.',
        },
      }[verb],
      input: ServerPath.extend(SwitchServer.shape),
      output: ServerDetails,
      annotations: { ...CHANGES, destructiveHint: verb === 'off' },
      run: ({ name, ...body }, api) => api.post(`${pathOf(name)}/${verb}`, body),
    }),
  ),
];
