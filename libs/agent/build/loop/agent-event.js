export {};
//# sourceMappingURL=agent-event.js.map