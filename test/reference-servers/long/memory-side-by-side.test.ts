/**
 * Compares the reference server Memory with ours, with the same calls: each tool and the resource give the same texts and structured
 * content. Each difference is in the list of intended differences, or wrong.
 */
import { join } from 'node:path';
import { call, request } from '../../everything/support/probe.js';
import { OF_ALL } from '../support/meant-for-all.js';
import { ofNode } from '../support/references.js';
import { describeSideBySide, type MeantDifference, type SideProbe } from '../support/side-by-side.js';
import type { SideClient } from '../support/side-client.js';

const URI = 'memory://knowledge-graph';

const MEANT_DIFFERENCES: readonly MeantDifference[] = [
  ...OF_ALL,
  {
    differs: '`create_entities` and `read_graph` say whose the graph is',
    reason: 'There it is that of everybody who uses the file.',
    matches: /^tools\/list › result\.tools\.(create_entities|read_graph)\.description: /,
  },
  {
    differs: '`read_graph` has pages: `limit`, `cursor` and `nextCursor`',
    reason: 'A large graph is more than a model can read at once.',
    matches: /^tools\/list › result\.tools\.read_graph\.(inputSchema|outputSchema)\.properties\.(limit|cursor|nextCursor): nothing ≠/,
  },
  {
    differs: 'a query has at most 2,048 characters',
    reason: "The reference server's next release has this limit.",
    matches:
      /^(tools\/list › result\.tools\.search_nodes\.inputSchema\.properties\.query\.maxLength: nothing ≠ 2048$|search_nodes, a long query › )/,
  },
  {
    differs: 'an entity or a relation that is named twice in one call is created once',
    reason: "Names are unique; the reference server's next release does so too.",
    matches: /^[^›]*, twice › /,
  },
  {
    differs: 'relations of missing entities are refused',
    reason: "They led nowhere; the reference server's next release refuses them with these words.",
    matches: /^[^›]*, missing ends › /,
  },
  {
    differs: 'an unknown resource is the error -32002, with its URI',
    reason: 'The specification names that code.',
    matches: /^resources\/read \{"uri":"memory:\/\/other"\} › error\.(code: -32602 ≠ -32002|data: nothing ≠)/,
  },
];

const person = (name: string, ...observations: string[]) => ({ name, entityType: 'person', observations });
const knows = (from: string, to: string) => ({ from, to, relationType: 'knows' });

let looked = 0;
/** The current graph, in a tool's answer and as the resource. */
const look = (): SideProbe[] => {
  looked += 1;
  return [call('read_graph', {}, {}, `look ${looked}`), request('resources/read', { uri: URI }, {}, `, look ${looked}`)];
};

const PROBES: readonly SideProbe[] = [
  request('tools/list'),
  request('resources/list'),
  ...look(),
  { name: 'subscribing', run: (client: SideClient) => client.subscribe(URI) },
  call('create_entities', { entities: [person('Ada', 'wrote notes', 'likes numbers'), person('Babbage'), person('Čapek', 'robots 🤖')] }),
  call('create_entities', {
    entities: [person('Ada', 'another'), { entityType: 'city', observations: ['foggy'], name: 'London', more: 1 }],
  }),
  call('create_entities', { entities: ['__proto__', 'constructor', 'toString', '', ' '].map((name) => person(name)) }),
  call('create_entities', { entities: [] }),
  call('create_relations', { relations: [knows('Ada', 'Babbage'), knows('Babbage', 'Ada'), knows('Ada', '__proto__')] }),
  call('create_relations', { relations: [knows('Ada', 'Babbage'), { from: 'Ada', to: 'London', relationType: 'lives in' }] }),
  call('create_relations', { relations: [] }),
  ...look(),
  call('add_observations', { observations: [{ entityName: 'Ada', contents: ['wrote notes', 'met Babbage'] }] }),
  call('add_observations', {
    observations: [
      { entityName: 'Babbage', contents: ['engines', 'engines'] },
      { entityName: 'Babbage', contents: ['engines', 'noise'] },
      { entityName: '__proto__', contents: [] },
    ],
  }),
  call('add_observations', {
    observations: [
      { entityName: 'Ada', contents: ['lost'] },
      { entityName: 'Nobody', contents: ['x'] },
    ],
  }),
  ...look(),
  ...['ada', 'ENGINES', 'person', 'fog', '', 'nothing has this', '🤖', 'č'].map((query) => call('search_nodes', { query })),
  call('open_nodes', { names: ['London', 'Ada', 'Nobody', 'Ada'] }),
  call('open_nodes', { names: ['__proto__', 'constructor'] }),
  call('open_nodes', { names: [] }),
  call('delete_observations', {
    deletions: [
      { entityName: 'Babbage', observations: ['engines', 'unknown'] },
      { entityName: 'Nobody', observations: ['x'] },
    ],
  }),
  call('delete_relations', { relations: [knows('Babbage', 'Ada'), knows('Nobody', 'Ada')] }),
  ...look(),
  call('delete_entities', { entityNames: ['Ada', 'Nobody', 'constructor'] }),
  call('create_entities', { entities: [person('Ada', 'is back')] }, {}, 'again'),
  ...look(),
  call('create_entities', { entities: [{ name: 'half' }] }, {}, 'wrong'),
  call('create_relations', { relations: 'none' }, {}, 'wrong'),
  call('search_nodes', { query: 1 }, {}, 'wrong'),
  call('open_nodes', undefined, {}, 'wrong'),
  ...look(),
  request('resources/read', { uri: 'memory://other' }),
  { name: 'unsubscribing', run: (client: SideClient) => client.unsubscribe(URI) },
  call('delete_entities', { entityNames: ['London'] }),
  // From here on the graphs differ.
  { ...call('search_nodes', { query: 'x'.repeat(2_049) }), name: 'search_nodes, a long query' },
  { ...call('create_entities', { entities: [person('Twin', 'first'), person('Twin', 'second')] }), name: 'create_entities, twice' },
  { ...call('create_relations', { relations: [knows('Ada', 'Twin'), knows('Ada', 'Twin')] }), name: 'create_relations, twice' },
  { ...call('create_relations', { relations: [knows('Ada', 'Nobody')] }), name: 'create_relations, missing ends' },
];

describeSideBySide({
  reference: ofNode('Memory', import.meta.resolve('@modelcontextprotocol/server-memory/dist/index.js')),
  features: '@longhaul/reference-servers/memory',
  settings: (side, folder) => (side === 'theirs' ? { env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') } } : {}),
  probes: PROBES,
  meantDifferences: MEANT_DIFFERENCES,
});
