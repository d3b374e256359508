export {};
//# sourceMappingURL=task-index.js.map