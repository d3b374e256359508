/** What a feature is called whose decorator does not say it: `lookUpOrder` makes `look-up-order`. Some compilers give a number. */
export function featureName(decorator, method) {
    if (typeof method === 'symbol')
        throw new TypeError(`@${decorator} on ${String(method)} needs a name.`);
    return String(method)
        .replace(/^#/, '')
        .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
        .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1-$2')
        .replaceAll('_', '-')
        .toLowerCase();
}
//# sourceMappingURL=feature-name.js.map