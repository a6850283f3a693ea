// pace.js: how many of many strands are drawn. Where a picture of all of them takes too long, fewer are drawn while something moves, evenly
// spread and thicker, and all of them when it rests (or as many as take a second).
const MANY = 100000; // nodes; fewer are always drawn
const SLOW = 70, QUICK = 30, REST = 350, PATIENCE = 1000; // [ms]

export class Pace {
  constructor(strands, nodes) { Object.assign(this, { strands, on: nodes > MANY, share: 1, moving: 1, last: -Infinity, shown: 1 }); }

  // A picture is to be drawn now; `next`: right after the one before, so that the time between them is what it takes.
  before(now, next) {
    if (!this.on) return;
    const took = now - this.last;
    this.last = now;
    if (next && took > SLOW) this.moving = Math.max(0.02, this.shown * Math.max(0.1, 45 / took));
    else if (next && took < QUICK) this.moving = Math.min(1, 1.25 * this.moving);
    this.full = next ? Math.max(1, took / this.shown) : this.full;
    this.draw(this.moving);
  }

  // Nothing moves: whether more strands than before are to be drawn.
  rests(now) {
    if (!this.on || this.shown >= this.still || now - this.last < REST) return false;
    this.draw(this.still);
    return true;
  }

  get still() { return this.full > PATIENCE ? Math.max(this.moving, PATIENCE / this.full) : 1; }

  draw(share) {
    this.shown = share;
    this.strands.setShare(share);
  }

  get text() { return this.shown < 1 ? ` · 1 in ${Math.round(1 / this.shown)} strands` : ''; }
}
