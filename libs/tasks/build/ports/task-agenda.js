export {};
//# sourceMappingURL=task-agenda.js.map