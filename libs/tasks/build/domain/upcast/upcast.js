/** What an old shape is today, by the type under which it is stored; a shape of today stays as it is. */
const UPCASTS = {};
/** The event in its shape of today. Costs the same however many versions there were. */
export function upcast(recorded) {
    return (UPCASTS[recorded.type]?.(recorded) ?? recorded);
}
//# sourceMappingURL=upcast.js.map