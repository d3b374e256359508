const MAX_CHARACTERS = 500;
const MIN_SECRET_CHARACTERS = 4;
/** @param secrets what must not be seen, as it is sent; what is shorter than four characters is no secret */
export function redaction(secrets) {
    const hidden = [...new Set(secrets.flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]))]
        .filter((secret) => secret.length >= MIN_SECRET_CHARACTERS)
        // The longest first: one may be a part of another.
        .sort((a, b) => b.length - a.length);
    return (text) => {
        let shown = text;
        for (const secret of hidden)
            shown = shown.replaceAll(secret, '[secret]');
        const line = shown.replaceAll(/\s+/g, ' ').trim();
        return line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS)}…` : line;
    };
}
//# sourceMappingURL=redaction.js.map