/** Which process of a server was called last: what it kept in its memory is gone when another one has taken its place. */
export class ServerStates {
    connections = new Map();
    /** By the record of a call: on which connection it was made. */
    note({ name }, connection) {
        this.connections.set(name, connection);
    }
    /** Whether a process that was called before is gone. */
    isLost({ name, kind, stateless }, connection) {
        const before = this.connections.get(name);
        return kind === 'stdio' && !stateless && before !== undefined && before !== connection;
    }
}
/** The result, after a note that says so to the model. */
export function withLossNote(result, server) {
    const text = `[The server "${server}" was started again before this call. What it had in memory from earlier calls is gone.]`;
    const { content, structuredContent } = result;
    // A model is shown structured content where there is no text.
    const shown = content.length === 0 && structuredContent !== undefined ? [{ type: 'text', text: JSON.stringify(structuredContent) }] : content;
    return { ...result, content: [{ type: 'text', text }, ...shown] };
}
//# sourceMappingURL=server-states.js.map