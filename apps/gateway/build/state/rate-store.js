/**
 * How often something may be done, counted by all gateways together. A name may have so much at once, and gets it back
 * evenly over the time of its rate.
 */
export {};
//# sourceMappingURL=rate-store.js.map