/** Finds tools that known clients cannot take as they are listed, and says which client does what with them, as advice to the author. */
import { hasRecursion } from './recursive-schema.js';
import type { Tool } from './tool.js';

/** Of Claude Desktop, the strictest of the known clients. */
const CHARACTERS = /^[a-zA-Z0-9_-]*$/;
const LONGEST_NAME = 64;

/** Of Cursor. Clients put a server's name before the names of its tools: other limits of this kind are higher. */
const LONGEST_WITH_SERVER = 60;

/** Of Claude Code, as UTF-8. */
const LONGEST_DESCRIPTION_BYTES = 2_048;

/**
 * A line for each thing.
 *
 * @param serverName the name that the server gives itself: users mostly enter it under the same one
 */
export function adviceForClients(tools: readonly Tool[], serverName: string): readonly string[] {
  return tools.flatMap((tool) => [...ofName(tool.name, serverName), ...ofDescription(tool), ...ofOutputSchema(tool)]);
}

function ofName(name: string, serverName: string): string[] {
  const tool = `Tool ${JSON.stringify(name)}`;
  if (name === '' || name.length > LONGEST_NAME)
    return [`${tool}: Claude Desktop hides the whole server, because the name does not have 1 to ${LONGEST_NAME} characters.`];
  if (!CHARACTERS.test(name))
    return [
      `${tool}: Claude Desktop hides the whole server, and Codex and VS Code change the name, because it has characters other than A-Z, a-z, 0-9, "_" and "-".`,
    ];
  const length = serverName.length + name.length;
  if (length <= LONGEST_WITH_SERVER) return [];
  return [
    `${tool}: Cursor may leave it out, because its name and the server's (${serverName}) have ${length} characters together, more than ${LONGEST_WITH_SERVER}. Codex, Gemini CLI and VS Code shorten names that are a little longer.`,
  ];
}

function ofDescription({ name, listing }: Tool): string[] {
  const bytes = Buffer.byteLength(listing.description ?? '');
  if (bytes <= LONGEST_DESCRIPTION_BYTES) return [];
  return [
    `Tool ${JSON.stringify(name)}: Claude Code cuts off its description, which has ${bytes} bytes, after ${LONGEST_DESCRIPTION_BYTES}.`,
  ];
}

function ofOutputSchema({ name, listing }: Tool): string[] {
  if (listing.outputSchema === undefined || !hasRecursion(listing.outputSchema)) return [];
  return [`Tool ${JSON.stringify(name)}: Claude Code shows no tool of the server at all, because its output schema refers to itself.`];
}
