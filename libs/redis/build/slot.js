/** Slots of a Redis Cluster: https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#key-distribution-model */
/** How many slots a cluster has. */
export const SLOTS = 16_384;
/** CRC16 as XMODEM has it: no reflection, begins with 0. */
const POLYNOMIAL = 0x1021;
/** The slot of keys that have this hash tag, or are this name and have none. */
export function slotOf(tag) {
    let crc = 0;
    for (const byte of Buffer.from(tag)) {
        crc ^= byte << 8;
        for (let bit = 0; bit < 8; bit++)
            crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ POLYNOMIAL;
        crc &= 0xffff;
    }
    return crc % SLOTS;
}
//# sourceMappingURL=slot.js.map