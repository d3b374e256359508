import { type ClientCapability, type FeatureRegistry, type FoundResource, ProtocolError, resultOrError } from '@longhaul/mcp-features';
import type { ReadResourceResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { ContextOf } from './request-context.js';
import { RpcCode } from '../errors.js';
import { checkNeeds } from './check-needs.js';
import type { Call, Method } from '../method.js';
import { parseParams } from '../params.js';

const Params = z.object({ uri: z.string() });

/** `resources/read`. */
export function readResource(features: FeatureRegistry, contextOf: ContextOf): Method {
  return {
    name: 'resources/read',
    kind: 'waits',
    async handle(call) {
      const { uri } = parseParams(Params, call.params);
      const found = features.findResource(uri);
      const what = `Resource ${uri}`;
      if (found !== undefined) checkNeeds(what, needsOf(found), call.requester);
      const result = found === undefined ? undefined : await resultOrError(what, () => read(found, uri, call, contextOf), nameOf(found));
      if (result === undefined) throw new ProtocolError(RpcCode.ResourceNotFound, `${what} not found`, { uri });
      return result;
    },
  };
}

/** The name that its author knows: the caller chooses the rest of a template's URI. */
function nameOf(found: FoundResource): string {
  return `Resource ${'resource' in found ? found.resource.uri : found.template.uriTemplate}`;
}

function needsOf(found: FoundResource): readonly ClientCapability[] {
  return 'resource' in found ? found.resource.needs : found.template.needs;
}

function read(found: FoundResource, uri: string, call: Call, contextOf: ContextOf): Promise<ReadResourceResult | undefined> {
  return 'resource' in found ? found.resource.read(uri, contextOf(call)) : found.template.read(found.variables, contextOf(call), uri);
}
