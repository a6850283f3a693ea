// orbit.js: a camera that turns around a point. Left drag orbits, right or shift drag pans, the wheel zooms. z is up.

export class Orbit {
  constructor(camera, element, changed) {
    Object.assign(this, { camera, element, changed, enabled: true });
    this.target = new THREE.Vector3();
    this.distance = 1;
    this.azimuth = -1.1;
    this.elevation = 0.22;
    this.size = 1;
    camera.up.set(0, 0, 1);
    let last = null, pan = false;
    element.addEventListener('pointerdown', (e) => {
      if (!this.enabled || e.defaultPrevented) return;
      last = [e.clientX, e.clientY];
      pan = e.button !== 0 || e.shiftKey;
      element.setPointerCapture(e.pointerId);
      element.classList.add('dragging');
    });
    element.addEventListener('pointermove', (e) => {
      if (!last) return;
      const dx = e.clientX - last[0], dy = e.clientY - last[1];
      last = [e.clientX, e.clientY];
      if (pan) this.pan(dx, dy);
      else this.turn(dx, dy);
    });
    const end = () => { last = null; element.classList.remove('dragging'); };
    element.addEventListener('pointerup', end);
    element.addEventListener('pointercancel', end);
    element.addEventListener('contextmenu', (e) => e.preventDefault());
    element.addEventListener('wheel', (e) => {
      if (e.defaultPrevented) return;
      e.preventDefault();
      this.distance *= Math.exp(Math.max(-120, Math.min(120, e.deltaY)) * 0.0015);
      this.apply();
    }, { passive: false });
  }

  turn(dx, dy) {
    this.azimuth -= dx * 0.006;
    this.elevation = Math.max(-1.55, Math.min(1.55, this.elevation + dy * 0.006));
    this.apply();
  }

  pan(dx, dy) {
    const unit = 2 * this.distance * Math.tan(this.camera.fov * Math.PI / 360) / this.element.clientHeight;
    const x = new THREE.Vector3().setFromMatrixColumn(this.camera.matrix, 0);
    const y = new THREE.Vector3().setFromMatrixColumn(this.camera.matrix, 1);
    this.target.addScaledVector(x, -dx * unit).addScaledVector(y, dy * unit);
    this.apply();
  }

  // From one of the sides, or from above; the distance stays. Heads look along +y.
  look(side) {
    const views = { front: [Math.PI / 2, 0.05], back: [-Math.PI / 2, 0.05], left: [Math.PI, 0.05], right: [0, 0.05], top: [-Math.PI / 2, 1.55] };
    [this.azimuth, this.elevation] = views[side];
    this.apply();
  }

  // Where it is, as six numbers, and back.
  get state() { return [this.azimuth, this.elevation, this.distance, ...this.target.toArray()]; }
  set state([azimuth, elevation, distance, ...target]) {
    Object.assign(this, { azimuth, elevation, distance });
    this.target.fromArray(target);
    this.apply();
  }

  // Looks at a box from outside; `shift` is the part of the width that the panel covers.
  frame(lo, hi, shift) {
    this.target.set((lo[0] + hi[0]) / 2, (lo[1] + hi[1]) / 2, (lo[2] + hi[2]) / 2);
    this.size = Math.max(1e-6, Math.hypot(hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]));
    const aspect = Math.min(1, this.camera.aspect * (1 - shift)); // the narrower side counts
    this.distance = 0.62 * this.size / Math.tan(this.camera.fov * Math.PI / 360) / aspect;
    this.apply();
  }

  apply() {
    const c = Math.cos(this.elevation);
    this.camera.position.set(c * Math.cos(this.azimuth), c * Math.sin(this.azimuth), Math.sin(this.elevation))
      .multiplyScalar(this.distance).add(this.target);
    this.camera.near = Math.max(this.distance * 0.01, this.distance - 4 * this.size);
    this.camera.far = this.distance + 40 * this.size;
    this.camera.lookAt(this.target);
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
    this.camera.matrixWorldInverse.getInverse(this.camera.matrixWorld);
    this.changed();
  }
}
