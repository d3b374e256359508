const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Where a redirect leads, as the server writes it; undefined for any other answer. */
export function redirectOf({ status, headers }) {
    return REDIRECTS.has(status) ? (headers.get('location') ?? undefined) : undefined;
}
/** Reads a body as far as the limit, and ends what comes after that. Rejects as the connection does, and with what `onBytes` throws. */
export async function readBody({ body }, { maxBytes, onBytes }) {
    const chunks = [];
    let size = 0;
    let isCut = false;
    for await (const chunk of body ?? []) {
        const kept = chunk.subarray(0, maxBytes - size);
        onBytes?.(kept.length);
        chunks.push(kept);
        size += kept.length;
        isCut = kept.length < chunk.length;
        if (isCut)
            break;
    }
    return { bytes: Buffer.concat(chunks, size), isCut };
}
//# sourceMappingURL=response.js.map