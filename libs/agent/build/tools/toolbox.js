export {};
//# sourceMappingURL=toolbox.js.map