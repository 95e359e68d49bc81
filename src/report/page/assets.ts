/** The style and the script of every page as text. */

import details from './details.js?raw';
import elements from './elements.js?raw';
import filters from './filters.js?raw';
import start from './start.js?raw';
import answerStyle from './styles/answer.css?raw';
import baseStyle from './styles/base.css?raw';
import colors from './styles/colors.css?raw';
import mediaStyle from './styles/media.css?raw';
import sourcesStyle from './styles/sources.css?raw';
import tablesStyle from './styles/tables.css?raw';
import timelineStyle from './styles/timeline.css?raw';
import treeStyle from './styles/tree.css?raw';
import timeline from './timeline.js?raw';
import tree from './tree.js?raw';

/** Removes comments, which only readers of the source need. */
const withoutComments = (text: string): string => text.replace(/^[ \t]*\/\*\*?[^*]*\*\/\n?/gm, '');

/** The styles that depend on the width are last, so that they take precedence. */
export const pageStyle: string = [
  ...[colors, baseStyle, answerStyle, sourcesStyle, tablesStyle, treeStyle, timelineStyle],
  mediaStyle,
].join('');

/** The parts share one scope, which is hidden from other scripts. */
export const pageScript: string = `(() => {\n'use strict';\n${withoutComments([elements, details, tree, filters, timeline, start].join('\n'))}})();`;
