export {};
//# sourceMappingURL=signals.js.map