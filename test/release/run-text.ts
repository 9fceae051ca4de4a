/**
 * The text of `run(program, onDemand, pages, code)`, by which a file runs the program that is beside it or in it.
 * `program` is its text, `onDemand` a function that gives the text of its other file. The pages are those of the
 * program, if it has them in itself. V8 takes the code where its own version has made it of the same text with the same
 * flags; else it compiles.
 */
export const RUN_TEXT = `
function run(program, onDemand, pages, code) {
  const Module = require('node:module');
  const { join } = require('node:path');
  const { Script } = require('node:vm');
  // Lines in stacks are those of the files in the package. In parentheses V8 compiles a text at once, and reads it
  // once.
  const wrapped = (text) =>
    '(function (module, require, __filename, __dirname, EMBEDDED_PAGE, EMBEDDED_TRACE) {' + text + '\\n})';
  const load = (own, made, require) => {
    made(own, require, own.id, __dirname, ...pages);
    return own.exports;
  };
  const loadOnDemand = () => {
    // A module of its own: it imports files, which this one cannot do in a single executable.
    const own = new Module(join(__dirname, 'on-demand.js'));
    own._compile('exports.made = ' + wrapped(onDemand()) + '; exports.require = require', own.id);
    return load(own, own.exports.made, own.exports.require);
  };
  const own = new Module(join(__dirname, 'program.js'));
  const requireFile = Module.createRequire(own.id);
  const required = (name) => (name === './on-demand.js' ? loadOnDemand() : requireFile(name));
  const script = new Script(wrapped(program), { filename: own.id, cachedData: code });
  load(own, script.runInThisContext(), required);
}
`;
