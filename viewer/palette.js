// palette.js: colours. Maps are short lists of stops, equally spaced, linear in between.

const rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255);

export const maps = {
  sequential: ['#1d2b53', '#29508f', '#2f8fa3', '#5fc28f', '#c8d95e', '#fff3b0'].map(rgb),
  hot: ['#2a2d3a', '#5b3a6e', '#a8456b', '#e2704f', '#f6b44c', '#fff4c2'].map(rgb),
  diverging: ['#4b8fe0', '#8fbdf0', '#dfe3e8', '#f0a58a', '#e0533d'].map(rgb),
};

// What a mode shows: its name, its unit, its map, and whether zero is in the middle.
export const modes = {
  rod: { title: 'rod' },
  stretch: { title: 'stretch', unit: '', map: 'diverging', symmetric: true },
  speed: { title: 'speed', unit: 'm/s', map: 'sequential' },
  force: { title: 'contact force', unit: 'N', map: 'hot' },
};

const rodColours = ['#d9a066', '#c9744f', '#8fb8a8', '#6d94b8', '#e3c58b', '#a8789a', '#b5563f', '#7fa36a', '#f0dcb0', '#5f7f9f'].map(rgb);

const hair = rgb('#b98452');

// Rods that lie beside each other differ; the same rod always looks the same. Very many are a head of hair, not confetti.
export function rodColour(i, count) {
  const base = rodColours[i % rodColours.length], own = Math.max(0.22, Math.min(1, 12 / Math.sqrt(count)));
  const light = 0.82 + 0.36 * ((i * 0.618034) % 1);
  return base.map((c, k) => Math.min(1, (own * c + (1 - own) * hair[k]) * light));
}

export function mapTexture(name) {
  const stops = maps[name], size = 256, data = new Uint8Array(4 * size);
  for (let i = 0; i < size; i++) {
    const t = i / (size - 1) * (stops.length - 1), k = Math.min(stops.length - 2, Math.floor(t));
    for (let c = 0; c < 3; c++) data[4 * i + c] = 255 * (stops[k][c] + (t - k) * (stops[k + 1][c] - stops[k][c]));
    data[4 * i + 3] = 255;
  }
  const texture = new THREE.DataTexture(data, size, 1, THREE.RGBAFormat);
  texture.magFilter = texture.minFilter = THREE.LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

export function drawMap(canvas, name) {
  const pen = canvas.getContext('2d'), gradient = pen.createLinearGradient(0, 0, canvas.width, 0), stops = maps[name];
  stops.forEach((c, i) => gradient.addColorStop(i / (stops.length - 1), `rgb(${c.map((x) => Math.round(255 * x))})`));
  pen.fillStyle = gradient;
  pen.fillRect(0, 0, canvas.width, canvas.height);
}

export function number(x) {
  if (x === 0) return '0';
  const a = Math.abs(x);
  if (a >= 1e5 || a < 1e-3) return x.toExponential(1).replace('e+', 'e');
  return String(+x.toPrecision(3));
}
