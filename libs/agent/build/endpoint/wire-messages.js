function isImage(part) {
    return part.type === 'image_url';
}
function descriptionOf({ image_url: { url } }) {
    const kind = /^data:([^;,]+)/.exec(url)?.[1];
    return kind === undefined ? `an image at ${url}` : `an image (${kind}, ${Math.ceil((url.length * 3) / 4 / 1024)} KiB)`;
}
function asText(parts, describe) {
    return parts.map((part) => (isImage(part) ? describe(part) : part.text)).join('\n');
}
/** What is sent for a conversation. @param takesImages whether the model takes images */
export function wireMessages(messages, takesImages) {
    const sent = [];
    let images = [];
    const flush = () => {
        if (images.length > 0)
            sent.push({ role: 'user', content: [{ type: 'text', text: 'The images of these results:' }, ...images] });
        images = [];
    };
    for (const message of messages) {
        if (message.role !== 'tool')
            flush();
        if (typeof message.content === 'string')
            sent.push(message);
        else if (!takesImages || !message.content.some(isImage)) {
            sent.push({ ...message, content: asText(message.content, (image) => `[${descriptionOf(image)}, which you cannot see]`) });
        }
        else if (message.role === 'tool') {
            sent.push({ ...message, content: asText(message.content, (image) => `[${descriptionOf(image)}, see below]`) });
            images.push(...message.content.filter(isImage));
        }
        else
            sent.push(message);
    }
    flush();
    return sent;
}
//# sourceMappingURL=wire-messages.js.map