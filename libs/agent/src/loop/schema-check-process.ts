/** Runs the process of `checkInProcess`: it reads one question about a schema and writes its answer. */
import { serveComputation } from '@longhaul/runtime/computation';
import { answerSchemaQuestion } from './output-schema.js';

serveComputation(answerSchemaQuestion);
