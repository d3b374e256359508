export {};
//# sourceMappingURL=owner-context.js.map