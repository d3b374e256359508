/** Defines the reasons why a page cannot be fetched. */

/** In words for the client; trying again is of no use. */
export class FetchFailure extends Error {
  override readonly name = 'FetchFailure';
}

/** In words for the client; it may be otherwise in a moment. */
export class NotNow extends Error {
  override readonly name = 'NotNow';
}

/** The fault of a page or its server, without its URL. */
export class PageFault extends Error {
  override readonly name = 'PageFault';
}
