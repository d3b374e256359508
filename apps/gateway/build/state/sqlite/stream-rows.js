export function streamRow(database, { sessionId, streamId }, now) {
    return database.get('SELECT * FROM streams WHERE session = ? AND stream = ? AND expires_at > ?', sessionId, streamId, now);
}
/** Streams of the session whose lease holds. */
export function openCount(database, sessionId, now) {
    const sql = 'SELECT count(*) AS count FROM streams WHERE session = ? AND open_until > ? AND expires_at > ?';
    return database.get(sql, sessionId, now, now).count;
}
/** Who holds the session's standalone stream. */
export function holderOf(database, sessionId, now) {
    const sql = 'SELECT gateway AS gatewayId, stream AS streamId FROM standalone_streams WHERE session = ? AND expires_at > ?';
    return database.get(sql, sessionId, now);
}
export function setHolder(database, sessionId, { gatewayId, streamId }, expiresAt) {
    const sql = 'INSERT OR REPLACE INTO standalone_streams (session, gateway, stream, expires_at) VALUES (?, ?, ?, ?)';
    database.run(sql, sessionId, gatewayId, streamId, expiresAt);
}
export function isSameHolder(left, right) {
    return left !== undefined && left.gatewayId === right?.gatewayId && left.streamId === right.streamId;
}
//# sourceMappingURL=stream-rows.js.map