// pace.js: how many of many strands are drawn. Where a picture of all of them takes too long, fewer are drawn while something moves, evenly
// spread and thicker. When it rests all of them are drawn, a few in each turn, behind the picture that is there (stage.hold), so that the page
// goes on answering; then they are shown.
export const MANY = 100000; // nodes; fewer are always drawn
const SLOW = 70, QUICK = 30, REST = 350, SLICE = 60; // [ms]

export class Pace {
  constructor(strands, nodes) { Object.assign(this, { strands, on: nodes > MANY, share: 1, moving: 1, last: -Infinity, shown: 1, done: 0 }); }

  // A picture is to be drawn now; `next`: right after the one before, so that the time between them is what it takes.
  before(now, next, stage) {
    if (!this.on) return;
    this.leave(stage);
    const took = now - this.last;
    this.last = now;
    if (next && took > SLOW) this.moving = Math.max(0.02, this.shown * Math.max(0.1, 45 / took));
    else if (next && took < QUICK) this.moving = Math.min(1, 1.25 * this.moving);
    this.full = next ? Math.max(1, took / this.shown) : this.full;
    this.draw(this.moving);
  }

  // Nothing moves: the next slice of all strands.
  rests(now, stage) {
    if (!this.on || this.shown >= 1 || now - this.last < REST) return;
    if (this.done === 0) stage.hold(true);
    const to = Math.min(1, this.done + Math.min(0.2, Math.max(0.0025, SLICE / (this.full || SLICE))));
    this.strands.setShare(1, this.done, to);
    stage.add(this.strands.mesh, this.done === 0);
    this.done = to;
    if (to < 1) return;
    this.leave(stage);
    this.draw(1);
  }

  leave(stage) {
    if (this.done > 0) stage.hold(false);
    this.done = 0;
  }

  draw(share) {
    this.shown = share;
    this.strands.setShare(share);
  }

  get text() {
    if (this.done > 0) return ` · drawing all strands, ${Math.round(100 * this.done)} %`;
    return this.shown < 1 ? ` · 1 in ${Math.round(1 / this.shown)} strands` : '';
  }
}
