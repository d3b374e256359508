/** An agent with a tool of its own and the tools of a server: npx node docs/examples/agent.ts [question] */
import { stdout } from 'node:process';
import { createEndpointModel, createProcessHost, mergedToolbox, openServers, runAgent, type Toolbox } from '@longhaul/agent';
import { readServers } from '@longhaul/servers';

const [prompt = 'What do the notes say?'] = process.argv.slice(2);
const { LONGHAUL_AGENT_BASE_URL: baseUrl = '', LONGHAUL_AGENT_API_KEY: apiKey, LONGHAUL_AGENT_MODEL: model = '' } = process.env;

/** A tool needs no server: this one runs in this process. */
const notes: Toolbox = {
  tools: [{ name: 'read-notes', server: 'own', listed: { name: 'read-notes', inputSchema: { type: 'object' } } }],
  call: () => Promise.resolve({ content: [{ type: 'text', text: 'Buy bread.' }] }),
};

const file = process.env['LONGHAUL_AGENT_SERVERS'] ?? '{"mcpServers":{}}';
const servers = await openServers((await readServers(file, process.env)).servers);
try {
  const outcome = await runAgent({
    model: createEndpointModel({ baseUrl, apiKey, model }),
    toolbox: mergedToolbox([notes, servers.toolbox]),
    host: createProcessHost({
      signal: AbortSignal.timeout(120_000),
      onEvent: (event) => {
        if (event.type === 'tool-call') stdout.write(`calls   ${event.tool} ${event.arguments}\n`);
      },
    }),
    history: [{ role: 'system', content: 'Answer in one sentence.' }],
    prompt,
    limits: { maxRounds: 10 },
  });
  stdout.write(`${outcome.outcome.padEnd(7)} ${outcome.text}\n`);
} finally {
  await servers.close();
}
