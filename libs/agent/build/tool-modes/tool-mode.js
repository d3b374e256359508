export {};
//# sourceMappingURL=tool-mode.js.map