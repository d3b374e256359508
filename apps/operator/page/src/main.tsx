import { render } from 'preact';
import { App } from './app.js';
import { startRouter } from './router.js';

const page = document.querySelector('#page');
if (page === null) throw new Error('The document has no element with the id "page".');
startRouter();
render(<App />, page);
