// bodies.js: colliders, rigid and soft bodies in their shapes, and the ground.
import { decodeShape, getBytes } from './wire.js';

// Triangles as they come. An animated mesh keeps its vertices, which move; of anything else corners whose faces meet at
// a marked angle get normals of their own, so that edges stay edges.
function geometryFrom(shape, animated) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(shape.point), 3));
  geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(shape.triangle), 1));
  if (!animated) return creased(geometry.toNonIndexed(), shape.triangle);
  geometry.computeVertexNormals();
  return geometry;
}

// The normal of a corner: the sum over the triangles around its vertex that look about the same way, by area.
function creased(geometry, triangle) {
  const p = geometry.getAttribute('position').array, normal = new Float32Array(p.length), around = new Map();
  const face = [], a = new THREE.Vector3(), b = new THREE.Vector3(), sum = new THREE.Vector3();
  for (let t = 0; t < triangle.length / 3; t++) {
    a.fromArray(p, 9 * t + 3).sub(b.fromArray(p, 9 * t));
    sum.fromArray(p, 9 * t + 6).sub(b);
    face.push(new THREE.Vector3().crossVectors(a, sum));
  }
  triangle.forEach((v, c) => { if (!around.has(v)) around.set(v, []); around.get(v).push(Math.floor(c / 3)); });
  triangle.forEach((v, c) => {
    const own = face[Math.floor(c / 3)];
    sum.set(0, 0, 0);
    for (const t of around.get(v)) if (own.dot(face[t]) >= 0.6 * own.length() * face[t].length()) sum.add(face[t]);
    sum.normalize().toArray(normal, 3 * c);
  });
  geometry.setAttribute('normal', new THREE.BufferAttribute(normal, 3));
  return geometry;
}

async function geometryOf(body, url) {
  if (body.shape === 'none' || body.shape === 'plane') return null; // planes are grounds
  const shape = decodeShape(await getBytes(url));
  return shape.triangle.length ? geometryFrom(shape, body.animated) : null;
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
    this.parts = { collider: [], rigid: [], soft: [] };
    this.planes = [];
  }

  async load() {
    const of = async (kind, list, colour) => {
      for (let i = 0; i < list.length; i++) {
        const geometry = await geometryOf(list[i], `api/shape?${kind}=${i}`);
        let object = new THREE.Object3D();
        if (geometry) {
          object = new THREE.Mesh(geometry, new THREE.MeshPhongMaterial({
            color: Array.isArray(colour) ? colour[i % colour.length] : colour, specular: 0x14181c, shininess: 14,
            side: THREE.DoubleSide, transparent: kind === 'collider', opacity: 1,
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
    await of('soft', this.info.softs || [], [0xa8454e, 0x3f6fa8, 0xb48a3c, 0x4f8f5a, 0x7a5a9a]); // in the world as they are
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
    for (const object of [...this.parts.collider, ...this.parts.rigid, ...this.parts.soft]) if (object.isMesh) box.expandByObject(object);
    return box.isEmpty() ? z : Math.min(z, box.min.z);
  }

  // Adds what is drawn solid to a box, unless it is far larger than the strands.
  extend(lo, hi) {
    const size = Math.hypot(hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]);
    this.group.updateMatrixWorld(true);
    for (const object of [...this.parts.collider, ...this.parts.rigid, ...this.parts.soft]) {
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
