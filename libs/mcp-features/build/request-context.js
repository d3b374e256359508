export {};
//# sourceMappingURL=request-context.js.map