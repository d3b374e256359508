/** What of the features works without sessions, where the server knows no client and can ask it nothing. */
export function statelessFeatures(features) {
    const kept = [];
    const leftOut = [];
    for (const feature of features) {
        const { needs, needsSession } = feature;
        if (needs.length > 0)
            leftOut.push({ feature, reason: `needs the client's ${needs.join(' and ')}` });
        else if (needsSession)
            leftOut.push({ feature, reason: 'needs a session' });
        else
            kept.push(feature);
    }
    return { kept, leftOut };
}
//# sourceMappingURL=stateless-features.js.map