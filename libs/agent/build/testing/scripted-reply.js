export {};
//# sourceMappingURL=scripted-reply.js.map