export {};
//# sourceMappingURL=session-call.js.map