// live.js: a simulation that runs: frames come through a WebSocket, orders and hands go back.
import { decodeFrame, nodePosition } from './wire.js';

const REACH = 14; // [px] how near to a strand the mouse must be

export class Live {
  constructor(on) {
    Object.assign(this, { on, frame: null, state: {}, hands: new Map(), drag: null });
    this.connect();
  }

  connect() {
    this.socket = new WebSocket(`ws://${location.host}${location.pathname}live`);
    this.socket.binaryType = 'arraybuffer';
    this.socket.onopen = () => this.on.open();
    this.socket.onmessage = ({ data }) => {
      if (typeof data === 'string') {
        this.state = JSON.parse(data);
        if (this.state.closed) this.on.closed(this.state.message);
        else this.on.state(this.state);
        return;
      }
      this.frame = decodeFrame(data);
      this.on.frame(this.frame);
      requestAnimationFrame(() => this.send('next')); // no sooner than it was drawn
    };
    this.socket.onclose = () => {
      if (this.state.closed) return;
      this.on.closed('the simulation is not there any more');
      this.hands.clear();
      setTimeout(() => this.connect(), 2000);
    };
  }

  send(text) { if (this.socket.readyState === WebSocket.OPEN) this.socket.send(text); }

  // ---- hands -----------------------------------------------------------------------------------------------------

  // The node nearest to the mouse on the screen, the one in front if several are near.
  pick(camera, x, y, width, height) {
    const f = this.frame, m = new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).elements;
    if (!f) return -1;
    let best = -1, least = Infinity;
    const p = [0, 0, 0];
    for (let i = 0; i < f.nodes; i++) {
      nodePosition(f, i, p);
      const w = m[3] * p[0] + m[7] * p[1] + m[11] * p[2] + m[15];
      if (w <= 0) continue;
      const sx = (m[0] * p[0] + m[4] * p[1] + m[8] * p[2] + m[12]) / w, sy = (m[1] * p[0] + m[5] * p[1] + m[9] * p[2] + m[13]) / w;
      const d = Math.hypot((0.5 + 0.5 * sx) * width - x, (0.5 - 0.5 * sy) * height - y);
      if (d > REACH) continue;
      const cost = d + 200 * w / camera.far;
      if (cost < least) { least = cost; best = i; }
    }
    return best;
  }

  // Takes hold of a node; the hand moves in the plane through it that faces the camera.
  grab(node, camera) {
    let hand = 0;
    while (this.hands.has(hand)) hand++;
    if (hand >= 8) return false;
    const target = new THREE.Vector3(...nodePosition(this.frame, node, [0, 0, 0]));
    this.hands.set(hand, { node, target });
    this.drag = { hand, depth: target.clone().applyMatrix4(camera.matrixWorldInverse).z };
    this.tell('grab', hand);
    return true;
  }

  tell(what, hand) {
    const { node, target } = this.hands.get(hand), place = target.toArray().map((v) => v.toPrecision(8)).join(' ');
    this.send(what === 'grab' ? `grab ${hand} ${node} ${place}` : `move ${hand} ${place}`);
  }

  // x, y: from -1 to 1
  move(camera, x, y) {
    if (!this.drag) return;
    this.drag.x = x;
    this.drag.y = y;
    const p = new THREE.Vector3(x, y, 0.5).applyMatrix4(camera.projectionMatrixInverse);
    p.multiplyScalar(this.drag.depth / p.z);
    this.hands.get(this.drag.hand).target.copy(p.applyMatrix4(camera.matrixWorld));
    this.tell('move', this.drag.hand);
  }

  nearer(camera, factor) {
    this.drag.depth *= factor;
    this.move(camera, this.drag.x, this.drag.y);
  }

  release(keep) {
    if (!this.drag) return;
    if (!keep) this.drop(this.drag.hand);
    this.drag = null;
  }

  drop(hand) {
    if (this.hands.delete(hand)) this.send(`drop ${hand}`);
  }

  dropAll() {
    for (const hand of [...this.hands.keys()]) this.drop(hand);
    this.drag = null;
  }
}
