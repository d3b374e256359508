export {};
//# sourceMappingURL=modern-method.js.map