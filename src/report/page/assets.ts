/** The style and the script of every page as text. */
import pageStyle from './page.css?raw';
import questions from './questions.js?raw';
import timeline from './timeline.js?raw';
import tree from './tree.js?raw';

export { pageStyle };

/** Removes comments, which only readers of the source need. */
const withoutComments = (text: string): string => text.replace(/^[ \t]*\/\*\*?[^*]*\*\/\n?/gm, '');

/** The parts share one scope, which is hidden from other scripts. */
export const pageScript: string = `(() => {\n'use strict';\n${withoutComments([questions, tree, timeline].join('\n'))}})();`;
