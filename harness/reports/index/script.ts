// The index's script: it narrows the table, and keeps what was chosen in the address, so that a link to it shows the same.
// Without it the table is whole and everything in it can be read; the controls are then not shown.

export const INDEX_SCRIPT = `'use strict';
const form = document.querySelector('.controls');
const told = form.querySelector('output');
const rows = [...document.querySelectorAll('#scenarios tbody tr')];
const texts = rows.map((row) => row.textContent.toLowerCase());
const chosen = () => Object.fromEntries(['outcome', 'claim', 'text'].map((name) => [name, form.elements[name].value]));
const narrow = () => {
  const { outcome, claim, text } = chosen();
  const words = text.toLowerCase().split(/\\s+/).filter(Boolean);
  let count = 0;
  rows.forEach((row, index) => {
    const isShown = (outcome === '' || row.dataset.outcome === outcome)
      && (claim === '' || row.dataset.open.split(' ').includes(claim)) && words.every((word) => texts[index].includes(word));
    row.hidden = !isShown;
    if (isShown) count += 1;
  });
  told.textContent = count === rows.length ? rows.length + ' shown' : count + ' of ' + rows.length + ' shown';
};
const keep = () => {
  const given = Object.entries(chosen()).filter(([, value]) => value !== '');
  history.replaceState(null, '', '#' + new URLSearchParams(given));
};
const restore = () => {
  const given = new URLSearchParams(location.hash.slice(1));
  for (const name of ['outcome', 'claim', 'text']) form.elements[name].value = given.get(name) ?? '';
  for (const select of form.querySelectorAll('select')) if (select.selectedIndex < 0) select.value = '';
  narrow();
};
form.hidden = false;
form.addEventListener('input', () => { narrow(); keep(); });
form.addEventListener('submit', (event) => event.preventDefault());
form.addEventListener('reset', () => setTimeout(() => { narrow(); keep(); form.elements.outcome.focus(); }));
addEventListener('hashchange', restore);
restore();
`;
