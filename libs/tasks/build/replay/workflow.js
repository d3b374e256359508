export {};
//# sourceMappingURL=workflow.js.map