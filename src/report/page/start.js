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

addEventListener('beforeprint', () => {
  for (const item of items.values()) setFolded(item, false);
  for (const source of document.querySelectorAll('.source > details')) source.open = true;
});

showTree();
showTimeline();
