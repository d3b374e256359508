export {};
//# sourceMappingURL=operator-service.js.map