/** Why a page cannot be had. */
/** In words for the client; trying again is of no use. */
export class FetchFailure extends Error {
    name = 'FetchFailure';
}
/** In words for the client; it may be otherwise in a moment. */
export class NotNow extends Error {
    name = 'NotNow';
}
/** What is wrong with a page or its server, without its URL. */
export class PageFault extends Error {
    name = 'PageFault';
}
//# sourceMappingURL=failures.js.map