export {};
//# sourceMappingURL=feature.js.map