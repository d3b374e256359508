/** A job whose handler rejected is delivered again after this time, without limit: the domain counts lost passes. */
export const REDELIVERY_DELAY_MS = 1000;
