// wire.js: bytes of the server, as docs/commands/view.md has them. Everything is little-endian.

const HEADER = 80, CONTACT = 11;
export const littleEndian = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

async function get(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error((await answer.text()).trim() || answer.statusText);
  return answer;
}
export const getJson = async (path) => (await get(path)).json();
export const getBytes = async (path) => (await get(path)).arrayBuffer();

// Views into the buffer, nothing is copied.
export function decodeFrame(buffer) {
  const head = new DataView(buffer);
  if (buffer.byteLength < HEADER || head.getUint32(0, true) !== 0x31465650) throw new Error('this is no frame');
  const nodes = head.getUint32(8, true), contacts = head.getUint32(12, true);
  const colliders = head.getUint32(68, true), rigids = head.getUint32(72, true);
  const floats = new Float32Array(buffer, 0, HEADER / 4);
  let at = HEADER;
  const take = (count) => { const part = new Float32Array(buffer, at, count); at += 4 * count; return part; };
  const node = new Uint16Array(buffer, at, 4 * nodes), bytes = new Uint8Array(buffer, at, 8 * nodes);
  at += 8 * nodes;
  return {
    index: head.getUint32(4, true), time: head.getFloat64(16, true), step: head.getFloat64(24, true),
    lo: [floats[8], floats[9], floats[10]], hi: [floats[11], floats[12], floats[13]],
    value: [floats[14], floats[15]], colour: head.getUint32(64, true), contactsTotal: head.getUint32(76, true),
    nodes, node, bytes, collider: take(7 * colliders), rigid: take(7 * rigids),
    contacts, contact: take(CONTACT * contacts), vertex: new Float32Array(buffer, at), size: buffer.byteLength,
  };
}

export function nodePosition(frame, i, out) {
  for (let k = 0; k < 3; k++) out[k] = frame.lo[k] + (frame.hi[k] - frame.lo[k]) * frame.node[4 * i + k] / 65535;
  return out;
}

export function decodeRods(buffer) {
  const [fibres, nodes] = new Uint32Array(buffer, 0, 2);
  return {
    fibres, nodes, first: new Uint32Array(buffer, 8, fibres + 1),
    radius: new Float32Array(buffer, 12 + 4 * fibres, fibres), group: new Uint32Array(buffer, 12 + 8 * fibres, fibres),
  };
}

export function decodeShape(buffer) {
  const [points, triangles] = new Uint32Array(buffer, 0, 2);
  return { point: new Float32Array(buffer, 8, 3 * points), triangle: new Uint32Array(buffer, 8 + 12 * points, 3 * triangles) };
}
