/** What git keeps of a commit, read as it is written in the object: nothing of it goes through formats or configuration. */
/** @param content of an object of the type commit */
export function parseCommit(content) {
    const end = content.indexOf('\n\n');
    const headers = content.subarray(0, end === -1 ? content.byteLength : end);
    const encoding = /^encoding (.+)$/m.exec(headers.toString('latin1'))?.[1] ?? 'utf-8';
    const lines = textOf(headers, encoding).split('\n');
    const parents = lines.flatMap((line) => /^parent ([0-9a-f]+)$/.exec(line)?.[1] ?? []);
    const author = lines.find((line) => line.startsWith('author ')) ?? '';
    const [, name = '', email = '', seconds = '0', sign = '+', hours = '00', minutes = '00'] = /^author (.*?) ?<([^>]*)>(?: (-?\d+) ([+-])(\d\d)(\d\d))?/.exec(author) ?? [];
    const message = end === -1 ? '' : textOf(content.subarray(end + 2), encoding);
    return { parents, author: { name, email }, date: dateOf(Number(seconds), [sign, hours, minutes]), message };
}
function dateOf(seconds, offset) {
    const [sign, hours, minutes] = offset;
    const ahead = (Number(hours) * 60 + Number(minutes)) * 60 * (sign === '-' ? -1 : 1);
    const date = new Date((seconds + ahead) * 1000);
    const local = Number.isNaN(date.getTime()) ? '1970-01-01 00:00:00' : date.toISOString().slice(0, 19).replace('T', ' ');
    return { local, offset };
}
/** In an encoding that the commit names, or in UTF-8 where that is none that is known. */
function textOf(bytes, encoding) {
    try {
        return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
    }
    catch {
        return bytes.toString('utf8');
    }
}
//# sourceMappingURL=commit-object.js.map