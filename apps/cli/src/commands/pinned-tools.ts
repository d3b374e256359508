import { type ConnectedServer, isAllowed, type ServerConfig, toolHash } from '@longhaul/servers';

/** Of a description, characters. */
const MAX_SHOWN = 300;

type Tools = ConnectedServer['tools'];

/** What is said of the pinned tools of a server. */
export interface PinnedTools {
  readonly lines: readonly string[];
  /** Whether all may be used. */
  readonly isGood: boolean;
}

/**
 * Compares the tools of a server with those that were approved, or approves them as they are.
 *
 * @throws ConfigError for a file of approved tools that cannot be read; the errors of writing it
 */
export async function pinLines(config: ServerConfig, tools: Tools, isToPin: boolean): Promise<PinnedTools> {
  const { pins } = config;
  if (pins === undefined) return { lines: [], isGood: true };
  await pins.refresh();
  const used = tools.filter(({ name }) => isAllowed(name, config));
  const refused = used.map((tool) => ({ tool, verdict: pins.verdict(tool) })).filter(({ verdict }) => verdict !== 'approved');
  const isApproved = isToPin && pins.file !== undefined;
  if (isApproved) await pins.file.record({ [config.name]: Object.fromEntries(used.map((tool) => [tool.name, toolHash(tool)])) });
  const lines = refused.flatMap(({ tool, verdict }) => [
    `${isApproved ? 'approved' : 'refused'}: ${tool.name} ${verdict === 'changed' ? 'has changed since it was approved' : 'was not approved before'}`,
    `  ${(tool.description ?? 'without a description').slice(0, MAX_SHOWN).replaceAll(/\s+/g, ' ')}`,
    ...(pins.file === undefined ? [`  ${toolHash(tool)}`] : []),
  ]);
  const all = isApproved ? [...lines, `tools that are pinned in ${pins.file.path}: ${used.length}`] : lines;
  return { lines: all, isGood: isApproved || refused.length === 0 };
}
