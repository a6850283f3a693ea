// pick.js: which node is under the mouse, and the strand that was clicked with its numbers.
import { modes, number } from './palette.js';
import { nodePosition } from './wire.js';

const REACH = 14; // [px] how near to a strand the mouse must be

// The node nearest to (x, y) on the screen, the one in front if several are near; -1: none. skip(i): not that one.
export function pickNode(frame, camera, x, y, width, height, skip = () => false) {
  const m = new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).elements;
  if (!frame) return -1;
  let best = -1, least = Infinity;
  const p = [0, 0, 0];
  for (let i = 0; i < frame.nodes; i++) {
    nodePosition(frame, i, p);
    const w = m[3] * p[0] + m[7] * p[1] + m[11] * p[2] + m[15];
    if (w <= 0) continue;
    const sx = (m[0] * p[0] + m[4] * p[1] + m[8] * p[2] + m[12]) / w, sy = (m[1] * p[0] + m[5] * p[1] + m[9] * p[2] + m[13]) / w;
    const d = Math.hypot((0.5 + 0.5 * sx) * width - x, (0.5 - 0.5 * sy) * height - y);
    if (d > REACH) continue;
    const cost = d + 200 * w / camera.far;
    if (cost < least && !skip(i)) { least = cost; best = i; }
  }
  return best;
}

const length = (metres) => Math.abs(metres) < 1e-3 ? `${number(1e6 * metres)} µm` : Math.abs(metres) < 1 ? `${number(1e3 * metres)} mm` : `${number(metres)} m`;

// The strand that was clicked: a line over it, and a list of what is known of it.
export class Picked {
  constructor(rods, groups) {
    Object.assign(this, { rods, groups, node: -1 });
    this.line = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: 0xffffff, depthTest: false, transparent: true, opacity: 0.9 }));
    this.line.frustumCulled = this.line.visible = false;
    this.line.renderOrder = 9;
  }

  rodOf(node) {
    const first = this.rods.first;
    let low = 0, high = this.rods.fibres - 1;
    while (low < high) { const m = (low + high + 1) >> 1; if (first[m] <= node) low = m; else high = m - 1; }
    return low;
  }

  choose(node) { this.node = node; }

  // [[name, value] ...] for the page; null if nothing is chosen.
  show(frame) {
    this.line.visible = this.node >= 0 && frame !== null;
    if (!this.line.visible) return null;
    const rod = this.rodOf(this.node), from = this.rods.first[rod], to = this.rods.first[rod + 1];
    const points = new Float32Array(3 * (to - from)), p = [0, 0, 0];
    let long = 0;
    for (let i = from; i < to; i++) {
      points.set(nodePosition(frame, i, p), 3 * (i - from));
      const k = 3 * (i - from);
      if (k > 0) long += Math.hypot(points[k] - points[k - 3], points[k + 1] - points[k - 2], points[k + 2] - points[k - 1]);
    }
    this.line.geometry.setAttribute('position', new THREE.BufferAttribute(points, 3));
    const kind = Object.keys(modes)[frame.colour], mode = modes[kind], at = nodePosition(frame, this.node, p);
    const rows = [['strand', `${rod + 1} of ${this.rods.fibres.toLocaleString('en')}`]];
    if (this.groups[this.rods.group[rod]]) rows.push(['group', this.groups[this.rods.group[rod]]]);
    rows.push(['node', `${this.node - from + 1} of ${to - from}`], ['at', at.map((v) => length(v)).join(', ')],
      ['length', length(long)], ['radius', length(this.rods.radius[rod])]);
    if (mode.map) {
      const value = frame.value[0] + (frame.value[1] - frame.value[0]) * frame.node[4 * this.node + 3] / 65535;
      rows.push([mode.title, kind === 'stretch' ? `${number(100 * value)} %` : `${number(value)} ${mode.unit}`]);
    }
    return rows;
  }
}
