// tools.js: what the mouse does in a live simulation besides pulling: pins strands, cuts them off, moves colliders.

// The collider under the mouse and the point that was met; null: none. Colliders that fill the picture, such as planes, are not met.
export function pickCollider(bodies, camera, x, y) {
  const ray = new THREE.Raycaster();
  ray.setFromCamera(new THREE.Vector2(x, y), camera);
  const meshes = bodies.parts.collider.filter((object) => object.isMesh);
  const [hit] = ray.intersectObjects(meshes, false);
  return hit ? { index: bodies.parts.collider.indexOf(hit.object), point: hit.point } : null;
}

// A collider that follows the mouse in the plane through the point that was taken hold of.
export class Mover {
  constructor(live) { Object.assign(this, { live, held: null }); }

  take(hit, frame, camera) {
    const place = new THREE.Vector3(...frame.collider.subarray(7 * hit.index, 7 * hit.index + 3));
    this.held = { index: hit.index, offset: place.sub(hit.point), depth: hit.point.clone().applyMatrix4(camera.matrixWorldInverse).z };
  }

  move(camera, x, y) {
    if (!this.held) return;
    const p = new THREE.Vector3(x, y, 0.5).applyMatrix4(camera.projectionMatrixInverse);
    p.multiplyScalar(this.held.depth / p.z).applyMatrix4(camera.matrixWorld).add(this.held.offset);
    this.live.send(`collider ${this.held.index} ${p.toArray().map((v) => v.toPrecision(8)).join(' ')}`);
  }

  release() { this.held = null; }
}

// Holds a strand where it is, or lets go of it. Returns what was done.
export function pin(live, node, camera) {
  for (const [hand, { node: held }] of live.hands) if (Math.abs(held - node) <= 1) { live.drop(hand); return 'unpinned'; }
  if (!live.grab(node, camera)) return 'full';
  live.release(true);
  return 'pinned';
}

// Pictures that were drawn in the last second.
export class Meter {
  constructor() { this.times = []; }
  add(now) {
    this.times.push(now);
    while (this.times[0] < now - 1000) this.times.shift();
  }
  get fps() { return this.times.length; }
}
