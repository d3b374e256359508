export {};
//# sourceMappingURL=agent-host.js.map