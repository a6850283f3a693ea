// player.js: which frame of a run is shown, and when.
import { getJson } from './wire.js';

export class Player {
  constructor(frames, show, moved) {
    Object.assign(this, { frames, show, moved });
    this.times = [];
    this.at = -1;      // the frame that is shown
    this.wanted = 0;   // the frame that should be
    this.clock = 0;    // [s] of simulated time while it plays
    this.playing = false;
    this.speed = 1;
    this.waiting = false;
  }

  get last() { return this.times.length - 1; }

  async refresh() {
    const following = this.wanted === this.last && !this.playing && this.last > 0;
    const more = await getJson(`api/times?from=${this.times.length}`);
    if (more.times.length === 0) return false;
    this.times.push(...more.times);
    if (following) this.go(this.last);
    this.moved();
    return true;
  }

  // The last frame not later than t.
  find(t) {
    let low = 0, high = this.last;
    while (low < high) { const m = (low + high + 1) >> 1; if (this.times[m] <= t + 1e-9) low = m; else high = m - 1; }
    return low;
  }

  async go(index, again = false) {
    this.wanted = Math.max(0, Math.min(this.last, index));
    if (!this.playing) this.clock = this.times[this.wanted];
    if (this.waiting && !again) return;
    this.waiting = true;
    try {
      while (this.at !== this.wanted || again) { // while it loads, another may be asked for
        again = false;
        const index_ = this.wanted, frame = await this.frames.load(index_);
        this.at = index_;
        this.show(frame);
        this.moved();
      }
    } catch (error) {
      this.at = this.wanted;
      this.frames.failed(error);
    }
    this.waiting = false;
    this.frames.prefetch(Array.from({ length: 6 }, (_, k) => (this.at + 1 + k) % this.times.length));
  }

  reload() { return this.go(this.wanted, true); }

  play(on) {
    if (on && this.wanted === this.last) this.go(0);
    this.playing = on;
    this.clock = this.times[this.wanted] || 0;
    this.moved();
  }

  // seconds of wall clock since the last call. While a frame is awaited the clock stands still.
  tick(seconds) {
    if (!this.playing || this.waiting || this.times.length < 2) return;
    const end = this.times[this.last], frame = (end - this.times[0]) / this.last;
    this.clock += Math.min(seconds, 0.25) * this.speed;
    if (this.clock > end + frame) this.clock = this.times[0];
    const index = this.find(this.clock);
    if (index !== this.wanted) this.go(index);
  }
}
