// strands.js: all strands in one draw call without vertex buffers. A texture has the nodes as they come from the server (two
// texels of four bytes each: x y z and a value, 16 bits); the vertex shader finds out from gl_VertexID which piece of
// which strand it draws, puts a smooth curve through the nodes and gives it width towards the camera.
import { mapTexture, modes, rodColour } from './palette.js';

const ROW = 2048; // nodes in a row of the texture

const vertex = `
uniform sampler2D nodeMap, flagMap, rodMap, colourMap;
uniform vec3 boxLo, boxHi;
uniform vec2 valueRange, colourRange;
uniform float widthScale, thicker, focal, volume;
uniform int mode;
varying float vAcross;
varying vec3 vSide, vUp, vTangent, vColour, vView;
varying float vDepth;

vec4 nodeAt(int i) {
  ivec2 p = ivec2(2 * (i % ROW), i / ROW);
  vec4 a = floor(texelFetch(nodeMap, p, 0) * 255.0 + 0.5), b = floor(texelFetch(nodeMap, p + ivec2(1, 0), 0) * 255.0 + 0.5);
  return vec4(a.x + 256.0 * a.y, a.z + 256.0 * a.w, b.x + 256.0 * b.y, b.z + 256.0 * b.w) / 65535.0;
}

vec3 place(vec4 n) { return mix(boxLo, boxHi, n.xyz); }

void main() {
  const int each = (SUB + 1) * (ACROSS + 1); // vertices between two nodes
  int i = gl_VertexID / each, inside = gl_VertexID % each;
  vec4 flag = floor(texelFetch(flagMap, ivec2(i % ROW, i / ROW), 0) * 255.0 + 0.5);
  vec4 next = floor(texelFetch(flagMap, ivec2((i + 1) % ROW, (i + 1) / ROW), 0) * 255.0 + 0.5);
  if (flag.w >= 2.0) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; } // the last node begins nothing
  int rod = int(flag.x + 256.0 * flag.y + 65536.0 * flag.z);
  vec4 look = texelFetch(rodMap, ivec2(rod % ROW, rod / ROW), 0);

  if (look.x < 0.0) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; } // its group is hidden

  vec4 n1 = nodeAt(i), n2 = nodeAt(i + 1);
  vec3 p1 = place(n1), p2 = place(n2);
  vec3 p0 = mod(flag.w, 2.0) > 0.5 ? 2.0 * p1 - p2 : place(nodeAt(i - 1));
  vec3 p3 = next.w >= 2.0 ? 2.0 * p2 - p1 : place(nodeAt(i + 2));
  float t = float(inside / (ACROSS + 1)) / float(SUB);
  vec3 m1 = 0.5 * (p2 - p0), m2 = 0.5 * (p3 - p1), d = p2 - p1;
  vec3 a = m1 + m2 - 2.0 * d, b = 3.0 * d - 2.0 * m1 - m2;
  vec3 position = p1 + t * (m1 + t * (b + t * a)), tangent = m1 + t * (2.0 * b + 3.0 * t * a);

  vec3 centre = (viewMatrix * vec4(position, 1.0)).xyz;
  vec3 T = normalize(mat3(viewMatrix) * tangent + vec3(1e-12, 0.0, 0.0)), V = normalize(-centre);
  vec3 side = cross(T, V);
  side = dot(side, side) > 1e-8 ? normalize(side) : vec3(1.0, 0.0, 0.0);
  vec3 up = cross(side, T);
  vAcross = 2.0 * float(inside % (ACROSS + 1)) / float(ACROSS) - 1.0;
  float radius = thicker * max(look.x * widthScale, 0.55 * -centre.z / focal);
  float lift = ACROSS > 1 ? sqrt(max(0.0, 1.0 - vAcross * vAcross)) : 0.0;
  vec3 at = centre + radius * (vAcross * side + lift * up);
  vSide = side; vUp = up; vTangent = T; vView = V;

  vColour = look.yzw;
  if (mode > 0) {
    float value = mix(valueRange.x, valueRange.y, mix(n1.w, n2.w, t));
    float u = (value - colourRange.x) / max(1e-30, colourRange.y - colourRange.x);
    vColour = texture2D(colourMap, vec2(clamp(u, 0.0, 1.0), 0.5)).rgb;
  }
  // In a thick bundle, strands that look away from the light are in the shade of others.
  vec3 out_ = (position - 0.5 * (boxLo + boxHi)) / max(vec3(1e-9), 0.5 * (boxHi - boxLo));
  vDepth = mix(1.0, clamp(0.62 + 0.38 * dot(out_, vec3(0.35, -0.25, 0.55)), 0.35, 1.0), volume);
  gl_Position = projectionMatrix * vec4(at, 1.0);
}`;

const fragment = `
uniform vec3 keyLight;
varying float vAcross;
varying vec3 vSide, vUp, vTangent, vColour, vView;
varying float vDepth;
void main() {
  float a = clamp(vAcross, -1.0, 1.0);
  vec3 n = normalize(vSide * a + vUp * sqrt(1.0 - a * a)), T = normalize(vTangent), V = normalize(vView);
  vec3 H = normalize(keyLight + V);
  float wrapped = clamp(0.5 + 0.5 * dot(n, keyLight), 0.0, 1.0);
  float rim = 1.0 - abs(a) * abs(a) * 0.35;
  float TL = dot(T, keyLight), TH = dot(T, H);
  float fibre = sqrt(max(0.0, 1.0 - TL * TL));
  float shine = pow(sqrt(max(0.0, 1.0 - TH * TH)), 70.0) * wrapped;   // along the fibre it is a line, across it is broad
  float glow = pow(sqrt(max(0.0, 1.0 - pow(TH - 0.12, 2.0))), 24.0);
  vec3 colour = vColour * rim * (0.26 + 0.34 * wrapped + 0.34 * fibre * wrapped + 0.14 * glow);
  colour += vec3(1.0, 0.97, 0.9) * 0.22 * shine * max(0.0, dot(n, H));
  gl_FragColor = vec4(pow(colour * vDepth * 1.18, vec3(0.92)), 1.0);
}`;

function byteTexture(width, height) {
  const texture = new THREE.DataTexture(new Uint8Array(4 * width * height), width, height, THREE.RGBAFormat);
  texture.generateMipmaps = false;
  return texture;
}

// 0 .. count - 1, each once, so that any beginning of it is spread evenly.
export function spread(count) {
  const divisor = (a, b) => (b ? divisor(b, a % b) : a);
  let step = Math.max(1, Math.round(count * 0.6180339887));
  while (divisor(count, step) > 1) step++;
  return Uint32Array.from({ length: count }, (_, i) => (i * step) % count);
}

export class Strands {
  constructor(rods) {
    const rows = Math.max(1, Math.ceil(rods.nodes / ROW)), rodRows = Math.max(1, Math.ceil(rods.fibres / ROW));
    this.nodes = byteTexture(2 * ROW, rows);
    this.mode = 'rod';
    this.range = [0, 0];
    this.maps = {};
    this.material = new THREE.ShaderMaterial({
      vertexShader: vertex, fragmentShader: fragment, side: THREE.DoubleSide,
      defines: { ROW, ...Strands.detail(rods.nodes) },
      uniforms: {
        nodeMap: { value: this.nodes }, flagMap: { value: Strands.flags(rods, rows) }, rodMap: { value: Strands.rodMap(rods, rodRows) },
        colourMap: { value: this.map('sequential') }, boxLo: { value: new THREE.Vector3() }, boxHi: { value: new THREE.Vector3() },
        valueRange: { value: new THREE.Vector2() }, colourRange: { value: new THREE.Vector2() }, widthScale: { value: 1 },
        thicker: { value: 1 },        focal: { value: 1000 }, mode: { value: 0 }, keyLight: { value: new THREE.Vector3(0.4, 0.8, 0.5).normalize() },
        volume: { value: rods.fibres > 100 ? 1 : 0 },
      },
    });
    this.mesh = new THREE.Mesh(Strands.geometry(rods, this.material.defines), this.material);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
  }

  // Few strands get round bodies and smooth curves, many get ribbons that are shaded as if they were round.
  static detail(nodes) {
    if (nodes <= 600) return { SUB: 5, ACROSS: 6 };
    if (nodes <= 80000) return { SUB: 3, ACROSS: 1 };
    return { SUB: nodes <= 400000 ? 2 : 1, ACROSS: 1 };
  }

  // Only which vertices make up a triangle. What they are is found out by the shader; three.js draws nothing without
  // positions, but one is enough. Strands follow each other by the golden section: the first n of them are spread over all.
  static geometry({ fibres, first }, { SUB, ACROSS }) {
    const row = ACROSS + 1, each = (SUB + 1) * row, edges = Math.max(0, first[fibres] - fibres), index = new Uint32Array(6 * edges * SUB * ACROSS);
    let n = 0;
    for (const f of spread(fibres))
      for (let i = first[f]; i + 1 < first[f + 1]; i++)
        for (let k = 0; k < SUB; k++)
          for (let a = 0; a < ACROSS; a++) {
            const v = i * each + k * row + a;
            index[n++] = v; index[n++] = v + row; index[n++] = v + 1;
            index[n++] = v + 1; index[n++] = v + row; index[n++] = v + row + 1;
          }
    const geometry = new THREE.BufferGeometry();
    geometry.setIndex(new THREE.BufferAttribute(index, 1).onUpload(function () { this.array = null; })); // it is on the graphics card now
    geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(3), 3));
    return geometry;
  }

  // Which rod a node belongs to, and whether it is the first (1) or the last (2) of it.
  static flags(rods, rows) {
    const texture = byteTexture(ROW, rows), data = texture.image.data;
    for (let f = 0; f < rods.fibres; f++)
      for (let i = rods.first[f]; i < rods.first[f + 1]; i++) {
        data.set([f & 255, f >> 8 & 255, f >> 16 & 255], 4 * i);
        data[4 * i + 3] = (i === rods.first[f] ? 1 : 0) + (i === rods.first[f + 1] - 1 ? 2 : 0);
      }
    texture.needsUpdate = true;
    return texture;
  }

  static rodMap(rods, rows) {
    const data = new Float32Array(4 * ROW * rows);
    for (let f = 0; f < rods.fibres; f++) data.set([rods.radius[f], ...rodColour(f, rods.fibres)], 4 * f);
    const texture = new THREE.DataTexture(data, ROW, rows, THREE.RGBAFormat, THREE.FloatType);
    texture.needsUpdate = true;
    return texture;
  }

  // Strands of hidden groups have a negative radius in the map. hidden: numbers of groups.
  hide(rods, hidden) {
    const map = this.material.uniforms.rodMap.value;
    for (let f = 0; f < rods.fibres; f++) map.image.data[4 * f] = hidden.has(rods.group[f]) ? -1 : rods.radius[f];
    map.needsUpdate = true;
  }

  // Draws only this share of the strands, which are thicker instead; or, of all of them, those between two shares.
  setShare(share, from = 0, to = share) {
    const { geometry } = this.mesh, at = (part) => 6 * Math.round(part * geometry.index.count / 6);
    geometry.setDrawRange(at(from), to < 1 ? Math.max(6, at(to) - at(from)) : Infinity);
    this.material.uniforms.thicker.value = Math.min(3, 1 / Math.sqrt(share));
  }

  map(name) { return this.maps[name] || (this.maps[name] = mapTexture(name)); }

  // From the next frame on that has the values for it.
  setMode(mode) {
    this.mode = mode;
    this.range = [0, 0];
  }

  // The range of colours is that of all frames seen so far, so that a colour keeps its meaning.
  show(frame) {
    const u = this.material.uniforms, kind = Object.keys(modes)[frame.colour];
    this.nodes.image.data.set(frame.bytes);
    this.nodes.needsUpdate = true;
    u.boxLo.value.set(...frame.lo);
    u.boxHi.value.set(...frame.hi);
    u.valueRange.value.set(...frame.value);
    u.mode.value = frame.colour;
    if (kind === this.mode && kind !== 'rod') {
      let [lo, hi] = [Math.min(this.range[0], frame.value[0]), Math.max(this.range[1], frame.value[1])];
      if (modes[kind].symmetric) { hi = Math.max(hi, -lo); lo = -hi; }
      this.range = [lo, hi];
      u.colourMap.value = this.map(modes[kind].map);
      u.colourRange.value.set(lo, hi);
    }
    this.mesh.visible = true;
  }
}
