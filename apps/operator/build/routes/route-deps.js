export {};
//# sourceMappingURL=route-deps.js.map