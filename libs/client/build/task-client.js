export {};
//# sourceMappingURL=task-client.js.map