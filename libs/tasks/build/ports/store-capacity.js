/** Share of the room of creations up to which there is room to spare. */
export const SPARE_SHARE = 0.75;
/** Of a store without a limit. */
export const UNLIMITED = {
    admit: (_kind, _bytes, write) => write(),
    requireRoom: () => undefined,
    hasRoomToSpare: () => true,
};
//# sourceMappingURL=store-capacity.js.map