export {};
//# sourceMappingURL=contract-backend.js.map