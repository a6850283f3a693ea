// beside.js: two runs in one window. Whichever was used last leads: the other takes over its camera, and its time.
const frames = [document.getElementById('a'), document.getElementById('b')];
const page = (i) => frames[i].contentWindow.plait;
let leader = 0;

frames.forEach((frame, i) => frame.addEventListener('load', () => {
  for (const kind of ['pointerdown', 'wheel', 'keydown']) frame.contentWindow.addEventListener(kind, () => { leader = i; }, { capture: true, passive: true });
}));

function follow() {
  const from = page(leader), to = page(1 - leader);
  if (from?.frame && to?.frame) {
    if (document.getElementById('together').checked) {
      const want = from.stage.orbit.state, is = to.stage.orbit.state;
      if (want.some((v, k) => v !== is[k])) to.stage.orbit.state = want;
    }
    if (document.getElementById('same-time').checked) {
      const frame = to.player.find(from.player.times[from.player.wanted] || 0);
      to.player.play(false);
      if (frame !== to.player.wanted) to.player.go(frame);
    }
  }
  requestAnimationFrame(follow);
}
requestAnimationFrame(follow);
window.beside = { page, get leader() { return leader; } };
