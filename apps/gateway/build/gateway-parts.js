export {};
//# sourceMappingURL=gateway-parts.js.map