export {};
//# sourceMappingURL=task-context.js.map