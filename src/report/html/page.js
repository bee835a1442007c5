"use strict";
const bodies = [...document.querySelectorAll(".domains tbody")];
for (const body of bodies) {
  const [row, more] = body.rows;
  const cell = row.cells[0];
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = cell.textContent;
  const open = (isOpen) => {
    more.hidden = !isOpen;
    button.setAttribute("aria-expanded", String(isOpen));
  };
  button.addEventListener("click", () => open(more.hidden));
  cell.replaceChildren(button);
  cell.id = "d=" + button.textContent;
  open(location.hash === "#" + cell.id);
}
const form = document.querySelector(".filter");
const show = () => {
  const text = form.elements.text.value.trim().toLowerCase();
  const verdict = form.elements.verdict.value;
  const stratum = form.elements.stratum?.value;
  let shown = 0;
  for (const body of bodies) {
    const [row, more] = body.rows;
    const fits = (!verdict || row.cells[2].textContent === verdict)
      && (!stratum || row.cells[1].textContent === stratum)
      && (!form.elements.look?.checked || more.querySelector(".look") !== null)
      && body.textContent.toLowerCase().includes(text);
    body.hidden = !fits;
    shown += fits;
  }
  form.querySelector("output").textContent = shown + " of " + bodies.length + " domains";
};
addEventListener("beforeprint", () => { for (const body of bodies) body.rows[1].hidden = false; });
if (form) {
  form.hidden = false;
  form.addEventListener("input", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  show();
}
