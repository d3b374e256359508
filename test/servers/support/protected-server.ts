/** A server of the older version that asks for tokens, and says where they come from. */
import type { IncomingMessage } from 'node:http';
import { decodeJwt } from 'jose';
import { firstOf, greeting2025, methods, type ScriptedServer, startScriptedServer } from '../../client/support/scripted-server.js';

export interface ProtectedServerOptions {
  /** Its authorization server, as its metadata name it. Absent: it has no metadata. */
  readonly issuer?: () => string;
  /** Where its challenges say that the metadata are. Absent: they do not say it. */
  readonly metadataPath?: string;
  /** What its metadata say it is. @defaultValue its URL */
  readonly resource?: string;
  /** Whether a token is good. @defaultValue any token is */
  readonly accepts?: (token: string) => boolean;
  /** Whether it has sessions. @defaultValue it does */
  readonly hasSessions?: boolean;
  /** The answer to a token that is not. */
  readonly challenge?: string;
}

export interface ProtectedServer extends ScriptedServer {
  /** The tokens that came, each once, oldest first. */
  readonly tokens: readonly string[];
  /** The audiences of these tokens. */
  readonly audiences: readonly unknown[];
}

const bearerOf = ({ headers }: IncomingMessage): string | undefined => /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];

const sessionless = methods({
  initialize: ({ id, body }) => {
    const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'sessionless', version: '1' } };
    body({ jsonrpc: '2.0', id, result }, 200);
  },
});

export async function startProtectedServer(options: ProtectedServerOptions = {}): Promise<ProtectedServer> {
  const { issuer, metadataPath, accepts = () => true, challenge = 'Bearer error="invalid_token"' } = options;
  const tokens = new Set<string>();
  const answers = methods({ 'tools/call': ({ result }) => result({ content: [{ type: 'text', text: 'done' }] }) });
  const script = options.hasSessions === false ? firstOf(answers, sessionless, greeting2025) : firstOf(answers, greeting2025);
  const server = await startScriptedServer(script, {
    first: (request, response) => {
      if (issuer !== undefined && request.url === (metadataPath ?? '/.well-known/oauth-protected-resource/mcp')) {
        const metadata = { resource: options.resource ?? server.url, authorization_servers: [issuer()] };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata));
        return true;
      }
      if (request.url !== '/mcp') {
        response.writeHead(404).end();
        return true;
      }
      const token = bearerOf(request);
      if (token !== undefined) tokens.add(token);
      if (token !== undefined && accepts(token)) return false;
      const place = metadataPath === undefined ? '' : `, resource_metadata="${new URL(metadataPath, server.url).href}"`;
      response.writeHead(401, { 'www-authenticate': `${challenge}${place}` }).end();
      return true;
    },
  });
  return {
    ...server,
    get tokens() {
      return [...tokens];
    },
    get audiences() {
      return [...tokens].map((token) => decodeJwt(token).aud);
    },
  };
}
