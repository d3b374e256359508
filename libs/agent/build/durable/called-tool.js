export {};
//# sourceMappingURL=called-tool.js.map