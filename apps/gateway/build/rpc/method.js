export {};
//# sourceMappingURL=method.js.map