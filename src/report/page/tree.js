/** The tree of questions, which can be folded, filtered and navigated by keyboard. */
const exchangesAt = groupByPath(data.exchanges);

function groupByPath(exchanges) {
  const groups = new Map();
  for (const exchange of exchanges) {
    if (groups.has(exchange.path)) groups.get(exchange.path).push(exchange);
    else groups.set(exchange.path, [exchange]);
  }
  return groups;
}

const signs = { answered: '✓', partial: '◐', unanswered: '✕' };
const parentOf = (path) => path.slice(0, path.lastIndexOf('.'));

/** Creates a row for the calls of a stage, or of a question without a row. */
function callsRow(path) {
  const exchanges = exchangesAt.get(path);
  const sum = (pick) => exchanges.reduce((total, exchange) => total + pick(exchange), 0);
  const tokens = [sum(({ tokens }) => tokens[0]), sum(({ tokens }) => tokens[1])];
  const about = { path, question: path, status: 'answered', strategy: 'stage' };
  return { ...emptyRow, ...about, calls: exchanges.length, tokens, timeMs: sum(({ timeMs }) => timeMs ?? 0) };
}

const isStage = (path) => /^[a-z]/i.test(path);
const known = new Set(data.rows.map(({ path }) => path));
const others = [...exchangesAt.keys()].filter((path) => !known.has(path));
const isFirst = (path) => path === 'planner';
const rows = [
  ...others.filter(isFirst).map(callsRow),
  ...data.rows,
  ...others.filter((path) => !isFirst(path)).map(callsRow),
];
const items = new Map();
const mostTokens = Math.max(1, ...rows.map(({ tokens }) => tokens[0] + tokens[1]));
const costOf = ({ path }) => (exchangesAt.get(path) ?? []).reduce((total, { cost }) => total + (cost ?? 0), 0);

function rowFacts(row) {
  const calls = row.calls > 0 && mostTokens > 1 ? counted(row.calls, 'call') : '';
  const tokens = row.tokens[0] + row.tokens[1];
  const spent = tokens > 0 ? `${grouped(tokens)} tokens` : '';
  return joined(
    calls,
    spent,
    moneyText(costOf(row)),
    durationText(row.timeMs),
    row.cacheHits > 0 ? `${row.cacheHits} reused` : '',
  );
}

/** Shows or hides the rows below a row. */
function setFolded(item, isFolded) {
  if (item.children === null) return;
  item.children.hidden = isFolded;
  item.toggle.setAttribute('aria-expanded', String(!isFolded));
}

function setOpen(item, isOpen) {
  item.open.setAttribute('aria-expanded', String(isOpen));
  if (isOpen && item.details.childElementCount === 0)
    item.details.append(...questionBlocks(item.row, exchangesAt.get(item.row.path) ?? []));
  item.details.hidden = !isOpen;
}

function makeItem(row, hasChildren) {
  const id = `node-${row.path.replaceAll('.', '-')}`;
  const item = { row, children: null, shown: true };
  const toggleName = `questions below: ${row.question.slice(0, 80)}`;
  item.toggle = hasChildren
    ? element('button', {
        type: 'button',
        class: 'toggle',
        'aria-expanded': 'true',
        'aria-label': toggleName,
        click: () => setFolded(item, !item.children.hidden),
      })
    : element('span', { class: 'toggle', 'aria-hidden': 'true' });
  const sign = element(
    'span',
    { class: `sign ${row.status}`, 'aria-hidden': 'true' },
    row.strategy === 'stage' ? '•' : signs[row.status],
  );
  const share = element('span', { class: 'share', 'aria-hidden': 'true' });
  share.style.setProperty('--share', `${(100 * (row.tokens[0] + row.tokens[1])) / mostTokens}%`);
  item.open = element(
    'button',
    {
      type: 'button',
      class: 'open',
      'aria-expanded': 'false',
      'aria-controls': id,
      click: () => setOpen(item, item.details.hidden),
    },
    sign,
    element('span', { class: 'question' }, row.question),
    element('span', { class: 'unseen' }, ` (${row.status})`),
    element('span', { class: `tag ${row.strategy}` }, row.strategy),
    share,
    element('span', { class: 'facts' }, rowFacts(row)),
  );
  item.details = element('div', { class: 'details', id, hidden: true });
  item.line = element('div', { class: 'row' }, item.toggle, item.open);
  item.node = element('li', null, item.line, item.details);
  items.set(row.path, item);
  return item;
}

function buildTree() {
  const parents = new Set(rows.map(({ path }) => parentOf(path)));
  const top = element('ul', { class: 'tree' });
  for (const row of rows) {
    const item = makeItem(row, parents.has(row.path));
    const parent = isStage(row.path) ? undefined : items.get(parentOf(row.path));
    if (parent !== undefined && parent.children === null) {
      parent.children = element('ul', null);
      parent.node.append(parent.children);
    }
    (parent?.children ?? top).append(item.node);
  }
  return top;
}

const foldsAt = 60;
const isShown = (item) => item.node.offsetParent !== null;

/** Handles keys: up and down move, left and right fold and unfold, Home and End go to the ends. */
function walk(event) {
  const lines = [...items.values()].filter(isShown);
  const at = lines.findIndex(
    ({ open, toggle }) => open === document.activeElement || toggle === document.activeElement,
  );
  if (at < 0) return;
  const steps = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: lines.length - 1 };
  if (event.key in steps) lines[Math.max(0, Math.min(lines.length - 1, steps[event.key]))].open.focus();
  else if (event.key === 'ArrowRight') setFolded(lines[at], false);
  else if (event.key === 'ArrowLeft') {
    const { children, row } = lines[at];
    if (children !== null && !children.hidden) setFolded(lines[at], true);
    else items.get(parentOf(row.path))?.open.focus();
  } else return;
  event.preventDefault();
}

/** Opens a question and unfolds its ancestors. */
function openQuestion(path) {
  const item = items.get(path);
  if (item === undefined) return;
  for (let above = parentOf(path); above !== ''; above = parentOf(above))
    if (items.has(above)) setFolded(items.get(above), false);
  setOpen(item, true);
  scrollTo(item.line);
  item.open.focus({ preventScroll: true });
}
/** The filters of the tree. */
const pick = (rank) => new Set(rows.toSorted((a, b) => rank(b) - rank(a)).slice(0, 10));
const sizeOf = ({ tokens }) => tokens[0] + tokens[1];
const choices = {
  all: () => true,
  dearest: (
    (set) => (row) =>
      set.has(row)
  )(pick(sizeOf)),
  slowest: (
    (set) => (row) =>
      set.has(row)
  )(pick(({ timeMs }) => timeMs)),
  unanswered: ({ status }) => status !== 'answered',
};

/** Shows the rows that match and their ancestors. Returns the number of matches. */
function applyFilters({ words, depth, strategy, which }) {
  const wanted = words.toLowerCase();
  const textOf = (row) => `${row.question}\n${row.answer === null ? '' : data.texts[row.answer]}`.toLowerCase();
  const matches = (row) =>
    row.depth <= depth &&
    (strategy === 'all' || row.strategy === strategy) &&
    choices[which](row) &&
    textOf(row).includes(wanted);
  const shown = new Set();
  let count = 0;
  for (const row of rows) {
    if (!matches(row)) continue;
    count += 1;
    for (let path = row.path; path !== '' && !shown.has(path); path = parentOf(path)) shown.add(path);
  }
  const isFiltered = count < rows.length;
  for (const [path, item] of items) {
    item.node.hidden = !shown.has(path);
    item.node.classList.toggle('beside', isFiltered && shown.has(path) && !matches(item.row));
    if (isFiltered) setFolded(item, false);
  }
  return count;
}

const options = (pairs) => pairs.map(([value, name]) => element('option', { value }, name));

function buildFilters(host, tree) {
  const matchCount = element('p', { class: 'facts', role: 'status' });
  const search = element('input', {
    type: 'search',
    placeholder: 'Search questions and answers',
    'aria-label': 'search questions and answers',
  });
  const depths = [...new Set(data.rows.map(({ depth }) => depth))].sort((a, b) => a - b);
  const names = [...new Set(rows.map(({ strategy }) => strategy))];
  const depth = element(
    'select',
    { 'aria-label': 'depth' },
    options([['99', 'every depth'], ...depths.map((one) => [String(one), `depth to ${one}`])]),
  );
  const strategy = element(
    'select',
    { 'aria-label': 'strategy' },
    options([['all', 'every strategy'], ...names.map((name) => [name, name])]),
  );
  const which = element(
    'select',
    { 'aria-label': 'which questions' },
    options([
      ['all', 'all questions'],
      ['dearest', '10 with most tokens'],
      ['slowest', '10 that took longest'],
      ['unanswered', 'without a full answer'],
    ]),
  );
  const apply = () => {
    const count = applyFilters({
      words: search.value.trim(),
      depth: Number(depth.value),
      strategy: strategy.value,
      which: which.value,
    });
    matchCount.textContent = count === rows.length ? '' : `${counted(count, 'question')} of ${rows.length}`;
  };
  for (const control of [search, depth, strategy, which]) control.addEventListener('input', apply);
  const foldAll = (isFolded) => () => {
    for (const item of items.values()) setFolded(item, isFolded);
  };
  const buttons = [
    ['Unfold all', false],
    ['Fold all', true],
  ].map(([name, isFolded]) => element('button', { type: 'button', click: foldAll(isFolded) }, name));
  const more = element('button', { type: 'button', class: 'more', 'aria-expanded': 'false' }, 'Filters');
  const filters = element('div', { class: 'filters' }, search, more, depth, strategy, which, buttons);
  more.addEventListener('click', () => more.setAttribute('aria-expanded', String(filters.classList.toggle('open'))));
  if (rows.length > 3) host.append(filters, matchCount);
  host.append(tree);
}
