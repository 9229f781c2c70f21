/** A style sheet, which the bundler puts into the page when the module that imports it is loaded. */
declare module '*.css';
