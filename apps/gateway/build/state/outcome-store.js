export {};
//# sourceMappingURL=outcome-store.js.map