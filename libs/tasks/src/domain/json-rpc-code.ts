/** The error codes of JSON-RPC itself; MCP's own codes are in the gateway. */
export const JsonRpcCode = {
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  /** Failures that are the server's own. */
  InternalError: -32603,
} as const;
