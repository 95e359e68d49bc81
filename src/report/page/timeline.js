/** The timeline of calls and stages. Bars in different lanes at the same position ran concurrently. */
const kindOrder = [...new Set((data.timeline?.bars ?? []).map(({ kind }) => kind))].filter((kind) => kind !== 'stage');
const colorOf = (kind) => `kind-${kindOrder.indexOf(kind) % 8}`;

/** Assigns each bar to the first lane that is free when it begins. */
function lanesOf(bars) {
  const ends = [];
  return bars
    .toSorted((a, b) => a.from - b.from)
    .map((bar) => {
      const free = ends.findIndex((end) => end <= bar.from);
      const lane = free < 0 ? ends.length : free;
      ends[lane] = bar.from + bar.timeMs;
      return { ...bar, lane };
    });
}

function barElement(bar, total, index) {
  const name = `${bar.kind} at ${bar.path}, ${durationText(bar.timeMs)} from ${durationText(bar.from)}${bar.failed ? ', failed' : ''}`;
  const made = element('button', {
    type: 'button',
    class: `bar ${colorOf(bar.kind)}${bar.failed ? ' failed' : ''}`,
    title: name,
    'aria-label': name,
    tabindex: index === 0 ? '0' : '-1',
    click: () => openQuestion(bar.path),
  });
  made.style.left = `${(100 * bar.from) / total}%`;
  made.style.width = `${(100 * bar.timeMs) / total}%`;
  return made;
}

/** Handles arrow keys. Only one bar is in the tab order; arrow keys move to the others. */
function walkBars(bars) {
  return (event) => {
    const at = bars.indexOf(document.activeElement);
    const next = bars[at + ({ ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? 0)];
    if (at < 0 || next === undefined || next === bars[at]) return;
    bars[at].tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
    event.preventDefault();
  };
}

/** Names the stages with their times; beside the bars a short one would have no room for its name. */
const stageTexts = ({ bars }) =>
  bars.filter(({ kind }) => kind === 'stage').map(({ path, timeMs }) => `${path} ${durationText(timeMs)}`);

function stageLine({ bars, timeMs }) {
  const made = bars
    .filter(({ kind }) => kind === 'stage')
    .map((bar) => {
      const part = element('span', { class: 'phase', title: `${bar.path}, ${durationText(bar.timeMs)}` });
      part.style.left = `${(100 * bar.from) / timeMs}%`;
      part.style.width = `${(100 * bar.timeMs) / timeMs}%`;
      return part;
    });
  return element('div', { class: 'lane phases', 'aria-hidden': 'true' }, made);
}

function axis(timeMs) {
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const tick = element('span', { class: share === 1 ? 'last' : null }, durationText(timeMs * share));
    tick.style.left = `${100 * share}%`;
    return tick;
  });
  return element('div', { class: 'axis', 'aria-hidden': 'true' }, ticks);
}

function showTimeline() {
  const host = document.getElementById('timeline');
  const { timeline } = data;
  if (!timeline?.bars) return;
  host.hidden = false;
  const placed = lanesOf(timeline.bars.filter(({ kind }) => kind !== 'stage'));
  const lanes = [];
  const bars = placed.map((bar, index) => {
    const made = barElement(bar, timeline.timeMs, index);
    lanes[bar.lane] ??= element('div', { class: 'lane' });
    lanes[bar.lane].append(made);
    return made;
  });
  const legend = kindOrder.map((kind) =>
    element('li', null, element('span', { class: `swatch ${colorOf(kind)}` }), kind),
  );
  const atOnce = lanes.length > 1 ? `up to ${lanes.length} at once` : '';
  const about = joined(counted(placed.length, 'call'), atOnce, durationText(timeline.timeMs), ...stageTexts(timeline));
  const chart = element(
    'div',
    { class: 'chart', role: 'group', 'aria-label': `calls in time: ${about}`, keydown: walkBars(bars) },
    stageLine(timeline),
    lanes,
    axis(timeline.timeMs),
  );
  host.append(element('p', { class: 'facts' }, about), chart, element('ul', { class: 'swatches' }, legend));
}
/** Fills the page after all parts are loaded. */
function showTree() {
  const host = document.getElementById('tree');
  if (rows.length === 0) {
    host.hidden = true;
    return;
  }
  const tree = buildTree();
  tree.addEventListener('keydown', walk);
  buildFilters(host, tree);
  if (rows.length > foldsAt) for (const item of items.values()) setFolded(item, item.row.depth > 0);
}

/** Puts the plan below the answer where the sources beside it are longer, so that no half of the page stays empty. */
function fillColumn() {
  const [left, right] = document.querySelectorAll('.column');
  const plan = document.getElementById('plan');
  const isBeside = left.offsetTop === right.offsetTop;
  if (
    plan !== null &&
    isBeside &&
    left.lastElementChild.getBoundingClientRect().bottom + 80 < right.lastElementChild.getBoundingClientRect().bottom
  )
    left.append(plan);
}

addEventListener('beforeprint', () => {
  for (const item of items.values()) setFolded(item, false);
  for (const source of document.querySelectorAll('.source > details')) source.open = true;
});

showTree();
showTimeline();
fillColumn();
