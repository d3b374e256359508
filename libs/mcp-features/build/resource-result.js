import { requireJson } from './tool-result.js';
/** What a resource returned, as the result of `resources/read`; a full result stays as it is. @throws TerminalError for a value that is not JSON */
export function resourceResultOf(value, { uri, mimeType }) {
    if (isFullResult(value))
        return value;
    if (typeof value === 'string')
        return { contents: [{ uri, mimeType: mimeType ?? 'text/plain', text: value }] };
    if (value instanceof Uint8Array)
        return { contents: [{ uri, mimeType: mimeType ?? 'application/octet-stream', blob: Buffer.from(value).toString('base64') }] };
    return { contents: [{ uri, mimeType: mimeType ?? 'application/json', text: JSON.stringify(requireJson(`Resource ${uri}`, value)) }] };
}
function isFullResult(value) {
    return typeof value === 'object' && 'contents' in value && Array.isArray(value.contents);
}
//# sourceMappingURL=resource-result.js.map