export {};
//# sourceMappingURL=generation-adapter.js.map