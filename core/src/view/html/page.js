"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const steps = JSON.parse(byId("steps").textContent);
  const slider = byId("step");
  const states = [...byId("state").querySelectorAll("dd")];
  const drawings = ["wide", "narrow"].map((name) => ({ name, svg: document.querySelector(`.drawing.${name} svg`) }));
  let current = 0;
  let player = null;

  // Shows one step: its words, what every machine knows, and the cursor in both drawings.
  const show = (index) => {
    if (steps.length === 0) return;
    current = Math.max(0, Math.min(steps.length - 1, index));
    const step = steps[current];
    slider.value = current;
    slider.setAttribute("aria-valuetext", `${step.time} ${step.words}`);
    byId("time").textContent = step.time;
    byId("words").textContent = step.words;
    states.forEach((line, place) => {
      line.classList.toggle("changed", current > 0 && steps[current - 1].state[place] !== step.state[place]);
      line.textContent = step.state[place];
    });
    for (const { name, svg } of drawings) {
      const cursor = svg.querySelector(".cursor");
      const x = Number(svg.dataset.left) + step[name];
      cursor.setAttribute("x1", x);
      cursor.setAttribute("x2", x);
      cursor.classList.add("shown");
      svg.querySelectorAll(".current").forEach((element) => element.classList.remove("current"));
      const element = byId(`${name}-${step.element}`);
      if (element) element.classList.add("current");
    }
  };

  const stop = () => {
    clearInterval(player);
    player = null;
    byId("play").textContent = "▶";
  };
  const play = () => {
    if (player !== null) return stop();
    if (current === steps.length - 1) show(0);
    byId("play").textContent = "❚❚";
    player = setInterval(() => (current < steps.length - 1 ? show(current + 1) : stop()), 1200);
  };
  const step = (by) => {
    stop();
    show(current + by);
  };

  byId("back").addEventListener("click", () => step(-1));
  byId("next").addEventListener("click", () => step(1));
  byId("play").addEventListener("click", play);
  slider.addEventListener("input", () => {
    stop();
    show(Number(slider.value));
  });
  document.addEventListener("keydown", (event) => {
    if (event.target === slider || event.ctrlKey || event.metaKey || event.altKey) return;
    const keys = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => step(-steps.length), End: () => step(steps.length) };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });

  // A click on the drawing goes to the element under it, or to the nearest step; dragging scrubs.
  for (const { name, svg } of drawings) {
    const nearest = (event) => {
      const box = svg.getBoundingClientRect();
      const x = ((event.clientX - box.left) * svg.viewBox.baseVal.width) / box.width - Number(svg.dataset.left);
      const distance = (one) => Math.abs(one[name] - x);
      return steps.reduce((best, one, index) => (distance(one) < distance(steps[best]) ? index : best), 0);
    };
    svg.addEventListener("pointerdown", (event) => {
      stop();
      const group = event.target.closest("g.element[data-first]");
      const found = group ? steps.findIndex((one) => `${name}-${one.element}` === group.id) : -1;
      show(found >= 0 ? found : nearest(event));
    });
    svg.addEventListener("pointermove", (event) => {
      if (event.buttons === 1) show(nearest(event));
    });
  }
  show(0);
})();
