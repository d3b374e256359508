export {};
//# sourceMappingURL=task-service.js.map