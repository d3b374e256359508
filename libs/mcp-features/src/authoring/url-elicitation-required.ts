import type { ElicitRequestURLParams } from '@modelcontextprotocol/sdk/types.js';
import { ProtocolError } from './tool-result.js';

/** The JSON-RPC code of a call that has to wait for a URL elicitation. */
const URL_ELICITATION_REQUIRED = -32042;

/**
 * Thrown by a tool that cannot go on until its user has opened the URLs. The call is answered with
 * JSON-RPC error -32042, whose data names the elicitations; the client has them done and calls again.
 * A task ends with that error and is not tried again by itself.
 */
export class UrlElicitationRequired extends ProtocolError {
  override readonly name = 'UrlElicitationRequired';

  constructor(elicitations: readonly ElicitRequestURLParams[], message = `URL elicitation${elicitations.length > 1 ? 's' : ''} required`) {
    super(URL_ELICITATION_REQUIRED, message, { elicitations });
  }
}
