export {};
//# sourceMappingURL=answer-channel.js.map