export {};
//# sourceMappingURL=task-load.js.map