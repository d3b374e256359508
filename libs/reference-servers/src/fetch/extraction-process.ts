/** The process of `extractionInProcess`: one page, and its extraction. */
import { serveComputation } from '@longhaul/runtime/computation';
import { extractionOf } from './extraction.js';

serveComputation(extractionOf);
