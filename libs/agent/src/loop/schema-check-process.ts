/** The process of `checkInProcess`: one question about a schema, and its answer. */
import { serveComputation } from '@longhaul/runtime/computation';
import { answerSchemaQuestion } from './output-schema.js';

serveComputation(answerSchemaQuestion);
