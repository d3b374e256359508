export {};
//# sourceMappingURL=event-store.js.map