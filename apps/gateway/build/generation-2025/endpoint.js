export {};
//# sourceMappingURL=endpoint.js.map