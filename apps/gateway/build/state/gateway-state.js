export {};
//# sourceMappingURL=gateway-state.js.map