export {};
//# sourceMappingURL=run-agent-options.js.map