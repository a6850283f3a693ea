// frames.js: frames of a run as they are needed: a cache with a limit in bytes, and a few that are fetched ahead.
import { decodeFrame, getBytes } from './wire.js';

const ROOM = 256 << 20, AT_ONCE = 3, AHEAD = 6;

export class Frames {
  constructor(failed) {
    this.failed = failed;
    this.cache = new Map(); // key -> frame, the least used first
    this.pending = new Map();
    this.bytes = 0;
    this.colour = 'rod';
    this.contacts = false;
  }

  key(index) { return `index=${index}&colour=${this.colour}&contacts=${this.contacts ? 1 : 0}`; }

  // The frame if it is here.
  peek(index) {
    const key = this.key(index), frame = this.cache.get(key);
    if (frame) { this.cache.delete(key); this.cache.set(key, frame); }
    return frame;
  }

  load(index) {
    const key = this.key(index), frame = this.peek(index);
    if (frame) return Promise.resolve(frame);
    if (!this.pending.has(key))
      this.pending.set(key, getBytes(`api/frame?${key}`).then(decodeFrame).then((got) => {
        this.cache.set(key, got);
        this.bytes += got.size;
        for (const [old, { size }] of this.cache) {
          if (this.bytes <= ROOM || old === key) break;
          this.cache.delete(old);
          this.bytes -= size;
        }
        return got;
      }).finally(() => this.pending.delete(key)));
    return this.pending.get(key);
  }

  // Frames that will be wanted soon, in this order.
  prefetch(indices) {
    for (const index of indices.slice(0, AHEAD)) {
      if (this.pending.size >= AT_ONCE) return;
      if (!this.peek(index)) this.load(index).catch(this.failed);
    }
  }
}
