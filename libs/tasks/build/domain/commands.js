export {};
//# sourceMappingURL=commands.js.map