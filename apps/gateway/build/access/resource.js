/** The endpoint as authorization servers and clients know it: its identifier (RFC 8707), and its metadata (RFC 9728). */
import { z } from 'zod';
import { isSecureUrl } from './issuer-settings.js';
import { PROOF_ALGORITHMS } from './proof-algorithms.js';
const WELL_KNOWN = '/.well-known/oauth-protected-resource';
/** The setting: the URL of the endpoint, which clients reach it by. A slash at its end means nothing. */
export const publicUrlSetting = z
    .string()
    .refine((text) => isSecureUrl(text) && !/[?#]/.test(text), 'must be the URL of the endpoint as clients know it, such as https://mcp.example.com/mcp: https:, or http: of this machine, without a query')
    .transform((text) => new URL(text).href.replace(/\/+$/, ''))
    .optional();
/** What tokens may name as their audience: clients differ in a slash at the end of what they ask for. */
export function audiencesOf(resource) {
    return [resource, `${resource}/`];
}
/** The paths that the metadata are at: with the path of the endpoint, and without. */
export function metadataPaths(resource) {
    const { pathname } = new URL(resource);
    return [...new Set([`${WELL_KNOWN}${pathname === '/' ? '' : pathname}`, WELL_KNOWN])];
}
/** The URL that challenges name. */
export function metadataUrl(resource) {
    return `${new URL(resource).origin}${metadataPaths(resource)[0] ?? ''}`;
}
export function resourceMetadata(resource, issuers, described) {
    const { scopes, title, isBound } = described;
    return {
        resource,
        authorization_servers: issuers,
        bearer_methods_supported: ['header'],
        ...(scopes.length > 0 && { scopes_supported: scopes }),
        resource_name: title,
        dpop_signing_alg_values_supported: PROOF_ALGORITHMS,
        ...(isBound && { dpop_bound_access_tokens_required: true }),
    };
}
//# sourceMappingURL=resource.js.map