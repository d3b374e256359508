/** Runs the process of `extractionInProcess`: it reads one page and writes its extraction. */
import { serveComputation } from '@longhaul/runtime/computation';
import { extractionOf } from './extraction.js';

serveComputation(extractionOf);
