/** Describes the endpoint to authorization servers and clients: its identifier (RFC 8707), and its metadata (RFC 9728). */
import { PROOF_ALGORITHMS } from './proof-algorithms.js';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** The permitted audiences of tokens: clients write the URL with or without a slash at its end. */
export function audiencesOf(resource: string): readonly string[] {
  return [resource, `${resource}/`];
}

/** The paths of the metadata: with the path of the endpoint, and without. */
export function metadataPaths(resource: string): readonly string[] {
  const { pathname } = new URL(resource);
  return [...new Set([`${WELL_KNOWN}${pathname === '/' ? '' : pathname}`, WELL_KNOWN])];
}

/** The metadata URL for challenges. */
export function metadataUrl(resource: string): string {
  return `${new URL(resource).origin}${metadataPaths(resource)[0] ?? ''}`;
}

/** The content of the metadata. */
export interface ResourceMetadata {
  readonly resource: string;
  readonly authorization_servers: readonly string[];
  readonly bearer_methods_supported: readonly string[];
  readonly scopes_supported?: readonly string[] | undefined;
  readonly resource_name: string;
  readonly dpop_signing_alg_values_supported: readonly string[];
  readonly dpop_bound_access_tokens_required?: boolean;
}

/** The content of the metadata, except the resource's URL and the issuers. */
export interface ResourceDescription {
  /** Scopes that tokens may need, now: features may change. */
  readonly scopes: () => readonly string[];
  readonly title: string;
  /** Whether all tokens must be bound to keys. */
  readonly isBound: boolean;
}

export function resourceMetadata(resource: string, issuers: readonly string[], described: ResourceDescription): ResourceMetadata {
  const { scopes, title, isBound } = described;
  return {
    resource,
    authorization_servers: issuers,
    bearer_methods_supported: ['header'],
    get scopes_supported() {
      const known = scopes();
      return known.length > 0 ? known : undefined;
    },
    resource_name: title,
    dpop_signing_alg_values_supported: PROOF_ALGORITHMS,
    ...(isBound && { dpop_bound_access_tokens_required: true }),
  };
}
