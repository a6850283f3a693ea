// bodies.js: colliders and rigid bodies in their shapes, and the ground.
import { decodeShape, getBytes } from './wire.js';

// A surface of revolution about z from (radius, z) pairs.
function lathe(profile) {
  return new THREE.LatheBufferGeometry(profile.map(([r, z]) => new THREE.Vector2(r, z)), 48).rotateX(Math.PI / 2);
}

function capsule(radius, half) {
  const profile = [], steps = 12;
  for (let i = 0; i <= steps; i++) {
    const a = -Math.PI / 2 + Math.PI / 2 * i / steps;
    profile.push([radius * Math.cos(a), radius * Math.sin(a) - half]);
  }
  for (let i = 0; i <= steps; i++) {
    const a = Math.PI / 2 * i / steps;
    profile.push([Math.max(0, radius * Math.cos(a)), radius * Math.sin(a) + half]);
  }
  return lathe(profile);
}

function tube(point, radius) {
  const curve = new THREE.CurvePath();
  for (let i = 0; i + 5 < point.length; i += 3) {
    const a = new THREE.Vector3(...point.slice(i, i + 3)), b = new THREE.Vector3(...point.slice(i + 3, i + 6));
    if (a.distanceTo(b) > 0) curve.add(new THREE.LineCurve3(a, b));
  }
  return new THREE.TubeBufferGeometry(curve, Math.min(2000, Math.max(2, point.length)), radius, 10, false);
}

function mesh(shape) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(shape.point), 3));
  geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(shape.triangle), 1));
  geometry.computeVertexNormals();
  return geometry;
}

async function geometryOf(body, url) {
  const [a, b, c] = body.size;
  switch (body.shape) {
    case 'sphere': return new THREE.SphereBufferGeometry(a, 48, 32);
    case 'capsule': return capsule(a, b);
    case 'box': return new THREE.BoxBufferGeometry(2 * a, 2 * b, 2 * c);
    case 'cylinder': return new THREE.CylinderBufferGeometry(a, a, 2 * b, 48).rotateX(Math.PI / 2);
    case 'curve': return tube(decodeShape(await getBytes(url)).point, a);
    case 'mesh': return mesh(decodeShape(await getBytes(url)));
    default: return null; // none; planes are grounds
  }
}

// ---- the ground: a grid that fades out ---------------------------------------------------------------------------

const groundVertex = `
varying vec3 vPlace;
void main() { vPlace = position; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`;
const groundFragment = `
uniform float cell, reach;
uniform vec3 centre;
varying vec3 vPlace;
float lines(vec2 p) {
  vec2 w = fwidth(p), d = abs(fract(p - 0.5) - 0.5) / max(w, vec2(1e-6));
  return (1.0 - clamp(min(d.x, d.y) - 0.2, 0.0, 1.0)) * clamp(0.35 / max(w.x, w.y), 0.0, 1.0);
}
void main() {
  float far = length(vPlace.xy - centre.xy) / reach, fade = clamp(1.0 - far * far, 0.0, 1.0);
  float line = max(0.35 * lines(vPlace.xy / cell), 0.7 * lines(vPlace.xy / (5.0 * cell)));
  vec3 base = vec3(0.105, 0.12, 0.145), colour = mix(base, vec3(0.42, 0.47, 0.54), line);
  gl_FragColor = vec4(colour, fade * (0.45 + 0.5 * line));
}`;

export class Bodies {
  constructor(info) {
    this.group = new THREE.Group();
    this.ground = new THREE.Group();
    this.info = info;
    this.animated = [];
    this.parts = { collider: [], rigid: [] };
    this.planes = [];
  }

  async load() {
    const of = async (kind, list, colour) => {
      for (let i = 0; i < list.length; i++) {
        const geometry = await geometryOf(list[i], `api/shape?collider=${i}`);
        let object = new THREE.Object3D();
        if (geometry) {
          object = new THREE.Mesh(geometry, new THREE.MeshPhongMaterial({
            color: colour, specular: 0x14181c, shininess: 14, side: THREE.DoubleSide, transparent: kind === 'collider',
            opacity: 1, flatShading: list[i].shape === 'box',
          }));
          if (list[i].animated) this.animated.push(object);
        }
        object.matrixAutoUpdate = false;
        this.parts[kind].push(object);
        if (list[i].shape === 'plane') this.planes.push(i);
        this.group.add(object);
      }
    };
    await of('collider', this.info.colliders, 0x71859a);
    await of('rigid', this.info.rigids, 0xc98a4b);
  }

  // The first frame says how large everything is.
  makeGround(lo, hi) {
    const size = Math.max(1e-6, Math.hypot(hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]));
    const reach = 2.4 * size, cell = Math.pow(10, Math.floor(Math.log10(size / 4)));
    const plain = () => {
      const material = new THREE.ShaderMaterial({
        vertexShader: groundVertex, fragmentShader: groundFragment, transparent: true, depthWrite: false, side: THREE.DoubleSide,
        extensions: { derivatives: true },
        uniforms: { cell: { value: size / cell > 25 ? 2 * cell : cell }, reach: { value: reach }, centre: { value: new THREE.Vector3() } },
      });
      const object = new THREE.Mesh(new THREE.PlaneBufferGeometry(4 * reach, 4 * reach), material);
      object.matrixAutoUpdate = false;
      object.frustumCulled = false;
      object.renderOrder = -1;
      return object;
    };
    const centre = new THREE.Vector3((lo[0] + hi[0]) / 2, (lo[1] + hi[1]) / 2, lo[2] - 0.04 * size);
    if (this.planes.length > 0) {
      for (const i of this.planes) {
        const object = plain();
        object.userData = { collider: i, centre };
        this.ground.add(object);
      }
    } else {
      const object = plain();
      object.userData = { collider: -1 };
      object.matrix.setPosition(centre.x, centre.y, this.lowest(centre.z));
      this.ground.add(object);
    }
  }

  // Below colliders too.
  lowest(z) {
    const box = new THREE.Box3();
    this.group.updateMatrixWorld(true);
    for (const object of [...this.parts.collider, ...this.parts.rigid]) if (object.isMesh) box.expandByObject(object);
    return box.isEmpty() ? z : Math.min(z, box.min.z);
  }

  // Adds what is drawn solid to a box, unless it is far larger than the strands.
  extend(lo, hi) {
    const size = Math.hypot(hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]);
    this.group.updateMatrixWorld(true);
    for (const object of [...this.parts.collider, ...this.parts.rigid]) {
      if (!object.isMesh) continue;
      const box = new THREE.Box3().expandByObject(object), extent = box.getSize(new THREE.Vector3()).length();
      if (size > 0 && extent > 3 * size) continue;
      ['x', 'y', 'z'].forEach((axis, k) => { lo[k] = Math.min(lo[k], box.min[axis]); hi[k] = Math.max(hi[k], box.max[axis]); });
    }
  }

  show(frame) {
    const one = new THREE.Vector3(1, 1, 1), set = (matrix, pose, i) => matrix.compose(
      new THREE.Vector3(pose[7 * i], pose[7 * i + 1], pose[7 * i + 2]),
      new THREE.Quaternion(pose[7 * i + 3], pose[7 * i + 4], pose[7 * i + 5], pose[7 * i + 6]), one);
    this.parts.collider.forEach((object, i) => { set(object.matrix, frame.collider, i); object.matrixWorldNeedsUpdate = true; });
    this.parts.rigid.forEach((object, i) => { set(object.matrix, frame.rigid, i); object.matrixWorldNeedsUpdate = true; });
    for (const object of this.ground.children) {
      const { collider, centre } = object.userData;
      if (collider < 0) continue;
      set(object.matrix, frame.collider, collider);
      object.matrixWorldNeedsUpdate = true;
      object.material.uniforms.centre.value.copy(centre).applyMatrix4(new THREE.Matrix4().getInverse(object.matrix));
    }
    let at = 0;
    for (const object of this.animated) {
      const attribute = object.geometry.attributes.position;
      attribute.array.set(frame.vertex.subarray(at, at + attribute.array.length));
      at += attribute.array.length;
      attribute.needsUpdate = true;
      object.geometry.computeVertexNormals();
      object.geometry.boundingSphere = null;
    }
  }
}
