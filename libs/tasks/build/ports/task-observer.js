export {};
//# sourceMappingURL=task-observer.js.map