// live.js: a simulation that runs: frames come through a WebSocket, orders and hands go back.
import { pickNode } from './pick.js';
import { decodeFrame, nodePosition } from './wire.js';

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

  pick(camera, x, y, width, height, skip) { return pickNode(this.frame, camera, x, y, width, height, skip); }

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
