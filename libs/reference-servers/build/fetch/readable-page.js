const UNREADABLE = '<error>Page failed to be simplified from HTML</error>';
const WHOLE_BODY = 'Simplification would have lost most of this page, so here is the content of its whole body:\n';
/**
 * @param raw whether HTML is left as it is, too
 * @throws PageFault when the simplification takes too long, or too much memory
 */
export async function readablePage({ url, text, contentType }, { raw, extract, signal }) {
    const isHtml = text.slice(0, 100).includes('<html') || contentType.includes('text/html') || contentType === '';
    if (raw || !isHtml)
        return { prefix: `Content type ${contentType} cannot be simplified to markdown, but here is the raw content:\n`, text };
    const { markdown, isWholeBody } = await extract({ html: text, url }, signal);
    return { prefix: isWholeBody ? WHOLE_BODY : '', text: markdown === '' ? UNREADABLE : markdown };
}
//# sourceMappingURL=readable-page.js.map