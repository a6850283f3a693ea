// contacts.js: contact points as discs of a few pixels, forces as arrows; green sticks, orange slides, grey is open. Bonds as lines from point
// to point, from dark (hardly anything holds) to yellow (whole); ties are white.

const STRIDE = 11; // place, force, state, the other point of a bond, beta (2: a tie)

const shared = `
attribute vec3 place, force;
attribute float state;
varying vec3 vColour;
vec3 stateColour() { return state > 1.5 ? vec3(1.0, 0.6, 0.32) : state > 0.5 ? vec3(0.37, 0.82, 0.65) : vec3(0.49, 0.53, 0.58); }
`;

const pointVertex = shared + `
uniform float focal;
varying vec2 vCorner;
void main() {
  vCorner = position.xy;
  vColour = stateColour();
  vec3 centre = (viewMatrix * vec4(place, 1.0)).xyz;
  float size = (state > 0.5 ? 4.2 : 2.6) * -centre.z / focal;
  vec4 p = projectionMatrix * vec4(centre + vec3(position.xy * size, 0.0), 1.0);
  p.z -= 0.004 * p.w; // in front of the strands that touch there
  gl_Position = p;
}`;
const pointFragment = `
varying vec2 vCorner;
varying vec3 vColour;
void main() {
  float r = length(vCorner);
  if (r > 1.0) discard;
  gl_FragColor = vec4(mix(vColour, vec3(0.06), smoothstep(0.72, 0.86, r)), 1.0);
}`;

// The arrow stands on z; its shaft is as thick as a few pixels, whatever the length.
const arrowVertex = shared + `
uniform float focal, scale, longest;
varying vec3 vNormal;
void main() {
  vColour = stateColour();
  float strength = length(force), size = min(strength * scale, longest);
  vec3 z = strength > 0.0 ? force / strength : vec3(0.0, 0.0, 1.0);
  vec3 x = normalize(cross(z, abs(z.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0))), y = cross(z, x);
  float pixel = -(viewMatrix * vec4(place, 1.0)).z / focal;
  float thick = min(1.6 * pixel, 0.12 * size), head = min(9.0 * pixel, 0.5 * size);
  float along = position.z <= 0.5 ? position.z * 2.0 * (size - head) : size - head + (position.z - 0.5) * 2.0 * head;
  vec3 p = place + z * along + thick * (x * position.x + y * position.y);
  vNormal = mat3(viewMatrix) * (x * normal.x + y * normal.y + z * normal.z);
  gl_Position = size > 0.5 * pixel ? projectionMatrix * viewMatrix * vec4(p, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}`;
const arrowFragment = `
varying vec3 vColour, vNormal;
void main() {
  float light = 0.55 + 0.45 * clamp(dot(normalize(vNormal), normalize(vec3(0.3, 0.7, 0.6))), 0.0, 1.0);
  gl_FragColor = vec4(vColour * light, 1.0);
}`;

function quad() {
  const g = new THREE.InstancedBufferGeometry();
  g.setAttribute('position', new THREE.BufferAttribute(new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]), 3));
  g.setIndex([0, 1, 2, 0, 2, 3]);
  return g;
}

function arrow() {
  const rings = [[1, 0, 0], [1, 0.5, 0], [3, 0.5, 0.4], [0, 1, 0.4]], sides = 8, position = [], normal = [], index = [];
  rings.forEach(([radius, z, slope]) => {
    for (let i = 0; i < sides; i++) {
      const a = 2 * Math.PI * i / sides;
      position.push(radius * Math.cos(a), radius * Math.sin(a), z);
      normal.push(Math.cos(a), Math.sin(a), slope);
    }
  });
  for (let r = 0; r + 1 < rings.length; r++)
    for (let i = 0; i < sides; i++) {
      const a = r * sides + i, b = r * sides + (i + 1) % sides;
      index.push(a, b, a + sides, b, b + sides, a + sides);
    }
  const g = new THREE.InstancedBufferGeometry();
  g.setAttribute('position', new THREE.Float32BufferAttribute(position, 3));
  g.setAttribute('normal', new THREE.Float32BufferAttribute(normal, 3));
  g.setIndex(index);
  return g;
}

export class Contacts {
  constructor() {
    this.uniforms = { focal: { value: 1000 }, scale: { value: 1 }, longest: { value: 1 } };
    const make = (geometry, vertexShader, fragmentShader) => {
      const object = new THREE.Mesh(geometry, new THREE.ShaderMaterial({ vertexShader, fragmentShader, uniforms: this.uniforms, side: THREE.DoubleSide }));
      object.frustumCulled = false;
      object.visible = false;
      return object;
    };
    this.points = make(quad(), pointVertex, pointFragment);
    this.arrows = make(arrow(), arrowVertex, arrowFragment);
    this.bonds = new THREE.LineSegments(new THREE.BufferGeometry(),
      new THREE.LineBasicMaterial({ vertexColors: THREE.VertexColors || true, depthTest: false }));
    this.bonds.frustumCulled = false;
    this.bonds.visible = false;
    // Dots at their ends: a line that points at the eye is nothing.
    this.ends = new THREE.Points(this.bonds.geometry,
      new THREE.PointsMaterial({ size: 5, sizeAttenuation: false, vertexColors: THREE.VertexColors || true, depthTest: false }));
    this.ends.frustumCulled = false;
    this.bonds.add(this.ends);
    this.group = new THREE.Group();
    this.group.add(this.points, this.arrows, this.bonds);
    this.wanted = { points: false, arrows: false, bonds: false };
    this.typical = 0;
  }

  get active() { return this.wanted.points || this.wanted.arrows || this.wanted.bonds; }

  // A line for each contact that holds. Those of touching surfaces are short: they are drawn at least as long as a fortieth of the scene.
  showBonds(frame, size) {
    const place = [], colour = [];
    for (let i = 0; i < frame.contacts && this.wanted.bonds; i++) {
      const c = frame.contact.subarray(STRIDE * i, STRIDE * (i + 1)), beta = c[10];
      if (!(beta > 0)) continue;
      const d = [c[7] - c[0], c[8] - c[1], c[9] - c[2]], length = Math.hypot(...d), grow = length > 0 ? Math.max(1, size / 40 / length) : 0;
      for (let k = 0; k < 3; k++) place.push(c[k] + d[k] * 0.5 * (1 - grow));
      for (let k = 0; k < 3; k++) place.push(c[k] + d[k] * 0.5 * (1 + grow));
      const paint = beta > 1.5 ? [1, 1, 1] : [0.25 + 0.75 * beta, 0.1 + 0.75 * beta, 0.35 - 0.2 * beta];
      colour.push(...paint, ...paint);
    }
    this.bonds.visible = place.length > 0;
    if (!place.length) return;
    this.bonds.geometry.dispose();
    this.bonds.geometry = this.ends.geometry = new THREE.BufferGeometry();
    this.bonds.geometry.setAttribute('position', new THREE.Float32BufferAttribute(place, 3));
    this.bonds.geometry.setAttribute('color', new THREE.Float32BufferAttribute(colour, 3));
  }

  // size: of the scene. The longest arrows are a sixth of it; the scale only ever shrinks, so that arrows can be compared.
  show(frame, size) {
    const n = frame.contacts;
    this.points.visible = this.wanted.points && n > 0;
    this.arrows.visible = this.wanted.arrows && n > 0;
    this.showBonds(frame, size);
    if (n === 0) return;
    const buffer = new THREE.InstancedInterleavedBuffer(frame.contact, STRIDE, 1);
    for (const object of [this.points, this.arrows]) {
      const g = object.geometry;
      if (g.attributes.place) g.attributes.place.data.count = 0;
      g.setAttribute('place', new THREE.InterleavedBufferAttribute(buffer, 3, 0));
      g.setAttribute('force', new THREE.InterleavedBufferAttribute(buffer, 3, 3));
      g.setAttribute('state', new THREE.InterleavedBufferAttribute(buffer, 1, 6));
      g.maxInstancedCount = n;
    }
    const strength = new Float32Array(n);
    for (let i = 0; i < n; i++) strength[i] = Math.hypot(frame.contact[STRIDE * i + 3], frame.contact[STRIDE * i + 4], frame.contact[STRIDE * i + 5]);
    strength.sort();
    this.typical = Math.max(this.typical, strength[Math.min(n - 1, Math.floor(0.95 * n))]);
    this.uniforms.longest.value = size / 5;
    this.uniforms.scale.value = this.typical > 0 ? size / 8 / this.typical : 0;
  }
}
