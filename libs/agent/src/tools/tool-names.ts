/**
 * Names for the model. Endpoints take at most 64 of `A-Za-z0-9_-`, MCP allows others, and two servers may have the same name. A name that
 * is fit and unique stays. Any other name gets its server in front. It gets a hash at its end if a part of it had to be left out, or if the
 * new name is taken too. The order of servers and tools does not matter.
 */
import { createHash } from 'node:crypto';
import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import type { AgentTool } from './toolbox.js';

const MAX_LENGTH = 64;
const FIT = /^[A-Za-z0-9_-]{1,64}$/;
const HASH_LENGTH = 8;

/** The tools of a server, as it lists them. */
export interface ServerTools {
  /** The server's name, unique among those that are named together. */
  readonly server: string;
  readonly tools: readonly ListedTool[];
}

/** Names the tools of all servers for the model; what a server lists twice counts once. */
export function nameTools(servers: readonly ServerTools[]): readonly AgentTool[] {
  const listings = servers.flatMap(({ server, tools }) => firstOfEachName(tools).map((listed) => ({ server, listed })));
  const plain = countsOf(listings.map(({ listed }) => listed.name));
  const isPlain = (name: string): boolean => FIT.test(name) && plain.get(name) === 1;
  const others = listings.filter(({ listed }) => !isPlain(listed.name));
  const prefixed = countsOf(others.map(({ server, listed }) => `${server}_${listed.name}`));
  const taken = new Set(listings.map(({ listed }) => listed.name));
  return listings.map(({ server, listed }) => {
    if (isPlain(listed.name)) return { name: listed.name, server, listed };
    const name = `${server}_${listed.name}`;
    const isFree = FIT.test(name) && prefixed.get(name) === 1 && !taken.has(name);
    return {
      name: isFree ? name : hashed(server, listed.name, (candidate) => taken.has(candidate) || prefixed.has(candidate)),
      server,
      listed,
    };
  });
}

function firstOfEachName(tools: readonly ListedTool[]): readonly ListedTool[] {
  return [...new Map(tools.toReversed().map((tool) => [tool.name, tool])).values()].toReversed();
}

function countsOf(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** A server may list on purpose what another one's tool would be called. */
function hashed(server: string, tool: string, isTaken: (name: string) => boolean): string {
  const start = `${server}_${tool}`.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, MAX_LENGTH - HASH_LENGTH - 1);
  for (let round = 0; ; round += 1) {
    const hash = createHash('sha256')
      .update(JSON.stringify([server, tool, round]))
      .digest('hex')
      .slice(0, HASH_LENGTH);
    const name = `${start}_${hash}`;
    if (!isTaken(name)) return name;
  }
}
