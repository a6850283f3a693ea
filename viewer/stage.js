// stage.js: the renderer, the camera, the lights, and the hands of a live simulation.
import { Orbit } from './orbit.js';
import { nodePosition } from './wire.js';

function disc() {
  const canvas = document.createElement('canvas'), pen = canvas.getContext('2d');
  canvas.width = canvas.height = 32;
  pen.fillStyle = '#fff';
  pen.arc(16, 16, 14, 0, 2 * Math.PI);
  pen.fill();
  return new THREE.CanvasTexture(canvas);
}

export class Stage {
  // keeps: what is drawn stays in the canvas, so that more can be added to it.
  constructor(canvas, keeps) {
    const context = canvas.getContext('webgl2', { antialias: true, alpha: false, powerPreference: 'high-performance', preserveDrawingBuffer: keeps });
    if (!context) throw new Error('this page needs WebGL 2');
    this.canvas = canvas;
    this.renderer = new THREE.WebGLRenderer({ canvas, context });
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
    this.scene = new THREE.Scene();
    this.scene.background = new THREE.Color(0x14181d);
    this.camera = new THREE.PerspectiveCamera(32, 1, 0.01, 100);
    this.orbit = new Orbit(this.camera, canvas, () => { this.dirty = true; });
    this.lights();
    this.makeHands();
    this.panel = this.sheet = 0; // [px] width, height
    this.followers = []; // uniforms that hold the focal length in pixels
    this.dirty = true;
    window.addEventListener('resize', () => this.resize());
  }

  lights() {
    this.scene.add(new THREE.HemisphereLight(0xcfdcec, 0x353841, 0.6));
    const key = new THREE.DirectionalLight(0xfff2e0, 0.5), rim = new THREE.DirectionalLight(0x9fc0ff, 0.25);
    const eye = new THREE.DirectionalLight(0xffffff, 0.32); // goes with the camera
    key.position.set(0.5, -0.4, 1);
    rim.position.set(-0.7, 0.8, 0.25);
    eye.position.set(0.3, 0.2, 1);
    this.camera.add(eye, eye.target);
    this.scene.add(key, rim, this.camera);
  }

  makeHands() {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(6 * 16), 3));
    this.lines = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: 0xffd27a, depthTest: false, transparent: true }));
    this.dots = new THREE.Points(geometry, new THREE.PointsMaterial({
      color: 0xffd27a, size: 11, sizeAttenuation: false, map: disc(), depthTest: false, transparent: true,
    }));
    for (const object of [this.lines, this.dots]) {
      object.frustumCulled = false;
      object.renderOrder = 10;
      this.scene.add(object);
    }
    geometry.setDrawRange(0, 0);
  }

  showHands(hands, frame) {
    const attribute = this.lines.geometry.attributes.position;
    let n = 0;
    for (const { node, target } of hands.values()) {
      attribute.array.set(nodePosition(frame, node, [0, 0, 0]), 3 * n++);
      attribute.array.set(target.toArray(), 3 * n++);
    }
    attribute.needsUpdate = true;
    this.lines.geometry.setDrawRange(0, n);
  }

  // The middle of the picture is the middle of what the panel at the side, or the sheet at the bottom, leaves free.
  resize(panel = this.panel, sheet = this.sheet) {
    Object.assign(this, { panel, sheet });
    const width = window.innerWidth, height = window.innerHeight;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.setViewOffset(width, height, panel / 2, 22 + sheet / 2, width, height);
    const focal = 0.5 * height / Math.tan(this.camera.fov * Math.PI / 360);
    for (const uniform of this.followers) uniform.value = focal;
    this.orbit.apply();
  }

  frame(lo, hi) { this.orbit.frame(lo, hi, this.panel / window.innerWidth); }

  draw() {
    this.dirty = false;
    this.renderer.render(this.scene, this.camera);
  }

  // What is seen stays what it is now, whatever is drawn, until it is let go.
  hold(on) {
    if (on && !this.cover) {
      this.cover = document.createElement('canvas');
      this.cover.className = 'cover';
      this.canvas.after(this.cover);
    }
    if (this.cover) this.cover.hidden = !on;
    if (!on) return;
    [this.cover.width, this.cover.height] = [this.canvas.width, this.canvas.height];
    this.cover.getContext('2d').drawImage(this.canvas, 0, 0);
  }

  // A part of the picture: the whole scene to begin with, then more of one object.
  add(object, first) {
    if (first) return this.draw();
    this.renderer.autoClear = false;
    this.renderer.render(object, this.camera);
    this.renderer.autoClear = true;
  }

  // What is on the screen, for tests.
  pixels() {
    this.draw();
    const gl = this.renderer.getContext(), data = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
    gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, data);
    return data;
  }
}
