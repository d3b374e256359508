/** What this folder needs of telemetry. The process brings it; how it is sent is not known here. */
export {};
//# sourceMappingURL=task-telemetry.js.map