// Runs in the browser: plays a file with three.js and reads back where every vertex went, once from its own
// arithmetic on the CPU and once from its shaders.
import * as THREE from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { MeshoptDecoder } from "three/addons/libs/meshopt_decoder.module.js";

// The primitives of the node of that name, once where they share their vertices.
function findMeshes(scene, name) {
  const found = [];
  scene.traverse((object) => {
    if (!object.isMesh || (object.userData.name !== name && object.parent?.userData.name !== name)) return;
    const vertices = object.geometry.attributes.position;
    if (!found.some((other) => other.geometry.attributes.position === vertices)) found.push(object);
  });
  if (found.length === 0) throw new Error(`three.js shows no mesh ${name}`);
  return found;
}

const findMesh = (scene, name) => findMeshes(scene, name)[0];

function cpuPositions(mesh, count) {
  const out = new Float64Array(count * 3);
  const point = new THREE.Vector3();
  for (let v = 0; v < count; v++) {
    mesh.getVertexPosition(v, point).applyMatrix4(mesh.matrixWorld).toArray(out, v * 3);
  }
  return out;
}

// ------------------------------------------------------------------------------------------------- shaders

const WIDTH = 256;

// Every vertex becomes a triangle over one pixel, whose color is its position. Mesh shaders draw triangles
// only, so points would not go through skinning.
const vertexShader = `
#include <common>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
uniform vec2 size;
varying vec3 world;
void main() {
    #include <begin_vertex>
    #include <morphtarget_vertex>
    #include <skinbase_vertex>
    #include <skinning_vertex>
    world = (modelMatrix * vec4(transformed, 1.0)).xyz;
    int place = gl_VertexID / 3, corner = gl_VertexID % 3;
    vec2 offset = corner == 0 ? vec2(0.1, 0.1) : corner == 1 ? vec2(0.9, 0.1) : vec2(0.5, 0.95);
    vec2 pixel = vec2(place % ${WIDTH}, place / ${WIDTH});
    gl_Position = vec4((pixel + offset) / size * 2.0 - 1.0, 0.0, 1.0);
}`;
const fragmentShader = `
varying vec3 world;
void main() { gl_FragColor = vec4(world, 1.0); }`;

// Each vertex three times over, without indices.
function tripled(attribute) {
  const size = attribute.itemSize;
  const whole = attribute.array instanceof Uint8Array || attribute.array instanceof Uint16Array;
  const values = new (whole && !attribute.normalized ? Uint16Array : Float32Array)(attribute.count * 3 * size);
  for (let i = 0; i < attribute.count * 3; i++) {
    for (let k = 0; k < size; k++) values[i * size + k] = attribute.getComponent(Math.floor(i / 3), k);
  }
  return new THREE.BufferAttribute(values, size);
}

function prepareForGpu(mesh) {
  const from = mesh.geometry;
  const geometry = new THREE.BufferGeometry();
  for (const name of ["position", "skinIndex", "skinWeight"]) {
    if (from.attributes[name]) geometry.setAttribute(name, tripled(from.attributes[name]));
  }
  if (from.morphAttributes.position) {
    geometry.morphAttributes.position = from.morphAttributes.position.map(tripled);
    geometry.morphTargetsRelative = true;
  }
  const height = Math.ceil(from.attributes.position.count / WIDTH);
  mesh.geometry = geometry;
  mesh.frustumCulled = false;
  mesh.material = new THREE.ShaderMaterial({
    vertexShader,
    fragmentShader,
    uniforms: { size: { value: new THREE.Vector2(WIDTH, height) } },
    depthTest: false,
    side: THREE.DoubleSide,
  });
  return new THREE.WebGLRenderTarget(WIDTH, height, { type: THREE.FloatType, depthBuffer: false });
}

function gpuPositions(renderer, scene, mesh, target, count) {
  scene.traverse((object) => {
    if (object.isMesh) object.visible = object === mesh;
  });
  renderer.setRenderTarget(target);
  renderer.clear();
  renderer.render(scene, new THREE.Camera());
  const pixels = new Float32Array(target.width * target.height * 4);
  renderer.readRenderTargetPixels(target, 0, 0, target.width, target.height, pixels);
  const out = new Float64Array(count * 3);
  for (let v = 0; v < count; v++) {
    if (pixels[v * 4 + 3] !== 1) throw new Error(`vertex ${v} was not drawn`);
    for (let k = 0; k < 3; k++) out[v * 3 + k] = pixels[v * 4 + k];
  }
  return out;
}

// -------------------------------------------------------------------------------------------------- playing

// A file and one of its clips; seek(time) puts everything where it is then.
async function open(url, name) {
  const gltf = await new GLTFLoader().setMeshoptDecoder(MeshoptDecoder).loadAsync(url);
  const clip = THREE.AnimationClip.findByName(gltf.animations, name);
  const file = { gltf, scene: gltf.scene };
  // A mixer does not write again what it takes to be unchanged: after joints were moved by hand, a new one must.
  file.play = () => {
    const mixer = new THREE.AnimationMixer(gltf.scene);
    const action = mixer.clipAction(clip);
    action.setLoop(THREE.LoopOnce);
    action.clampWhenFinished = true;
    file.seek = (time) => {
      action.reset().play();
      mixer.setTime(time);
      gltf.scene.updateMatrixWorld(true);
    };
  };
  file.play();
  return file;
}

// Floats as text that crosses to Node.js quickly.
function pack(values) {
  const bytes = new Uint8Array(Float32Array.from(values).buffer);
  let text = "";
  for (let i = 0; i < bytes.length; i += 32768) text += String.fromCharCode(...bytes.subarray(i, i + 32768));
  return btoa(text);
}

// Where the vertices of the named nodes are at the given times: [time][node], by the CPU and by the shaders.
window.positions = async (url, { clip, times, nodes }) => {
  const file = await open(url, clip);
  const renderer = new THREE.WebGLRenderer();
  const meshes = nodes.map((name) => findMeshes(file.scene, name));
  const counts = new Map(meshes.flat().map((mesh) => [mesh, mesh.geometry.attributes.position.count]));
  const at = (time, visit) => {
    file.seek(time);
    return meshes.map((list) => pack(list.flatMap((mesh) => Array.from(visit(mesh, counts.get(mesh))))));
  };
  const cpu = times.map((time) => at(time, cpuPositions));
  const targets = new Map(meshes.flat().map((mesh) => [mesh, prepareForGpu(mesh)]));
  const gpu = times.map((time) =>
    at(time, (mesh, count) => gpuPositions(renderer, file.scene, mesh, targets.get(mesh), count)),
  );
  renderer.dispose();
  return { cpu, gpu };
};

// --------------------------------------------------------------------------------------------- comparison

function worstDistance(shown, expected) {
  let worst = 0;
  for (let i = 0; i < expected.length; i += 3) {
    const distance = Math.hypot(
      shown[i] - expected[i],
      shown[i + 1] - expected[i + 1],
      shown[i + 2] - expected[i + 2],
    );
    if (!(distance <= worst)) worst = distance; // not-a-number is the worst of all
  }
  return worst;
}

// Worst distances from what is expected: by the CPU, by the GPU, and by the CPU without any targets or with
// helper joints at rest.
window.compare = async (url, expected) => {
  const file = await open(url, expected.clip);
  const renderer = new THREE.WebGLRenderer();
  const rest = new Map();
  file.scene.traverse((object) => rest.set(object, object.position.clone()));
  const result = { cpu: 0, gpu: 0, plain: 0, targets: 0 };

  const eachFrame = (visit) => {
    for (const frame of expected.frames) {
      file.seek(frame.time);
      for (const part of frame.parts) visit(findMesh(file.scene, part.name), part.positions);
    }
  };

  eachFrame((mesh, positions) => {
    const count = positions.length / 3;
    result.cpu = Math.max(result.cpu, worstDistance(cpuPositions(mesh, count), positions));
    if (!mesh.morphTargetInfluences?.length) return;
    result.targets = Math.max(result.targets, mesh.morphTargetInfluences.length);
    mesh.morphTargetInfluences.fill(0);
    result.plain = Math.max(result.plain, worstDistance(cpuPositions(mesh, count), positions));
  });
  // Helpers at rest, where the file puts them before anything plays.
  eachFrame((mesh, positions) => {
    const helpers = (mesh.skeleton?.bones ?? []).filter((bone) => bone.userData.name?.startsWith("sinew_"));
    if (helpers.length === 0) return;
    for (const bone of helpers) {
      bone.position.copy(rest.get(bone));
      bone.quaternion.identity();
    }
    file.scene.updateMatrixWorld(true);
    result.targets = Math.max(result.targets, helpers.length);
    result.plain = Math.max(result.plain, worstDistance(cpuPositions(mesh, positions.length / 3), positions));
  });
  file.play();
  const targets = new Map();
  eachFrame((mesh, positions) => {
    if (!targets.has(mesh)) targets.set(mesh, prepareForGpu(mesh));
    const shown = gpuPositions(renderer, file.scene, mesh, targets.get(mesh), positions.length / 3);
    result.gpu = Math.max(result.gpu, worstDistance(shown, positions));
  });
  renderer.dispose();
  return result;
};

// -------------------------------------------------------------------------------------------------- pictures

// One moment as a PNG in base64, seen from yaw and pitch in degrees with the whole figure in it.
window.picture = async (url, { clip, time, yaw, pitch, size }) => {
  const file = await open(url, clip);
  file.seek(time);
  const box = new THREE.Box3();
  const point = new THREE.Vector3();
  file.scene.traverse((object) => {
    if (!object.isMesh) return;
    object.frustumCulled = false;
    for (let v = 0; v < object.geometry.attributes.position.count; v++) {
      box.expandByPoint(object.getVertexPosition(v, point).applyMatrix4(object.matrixWorld));
    }
  });
  const middle = box.getCenter(new THREE.Vector3());
  const radius = box.getSize(new THREE.Vector3()).length() / 2;
  const [turn, rise] = [yaw, pitch].map(THREE.MathUtils.degToRad);
  const away = new THREE.Vector3(Math.sin(turn) * Math.cos(rise), Math.sin(rise), Math.cos(turn) * Math.cos(rise));
  const half = 0.85 * radius; // a figure seldom fills the ball around its box
  const camera = new THREE.OrthographicCamera(-half, half, half, -half, 0, 20 * radius);
  camera.position.copy(middle).addScaledVector(away, 10 * radius);
  camera.lookAt(middle);
  const light = new THREE.DirectionalLight(0xffffff, 2.5);
  light.position.copy(camera.position).add(new THREE.Vector3(radius, 4 * radius, 0));
  light.target.position.copy(middle);
  const scene = new THREE.Scene();
  scene.add(file.scene, light, light.target, new THREE.HemisphereLight(0xffffff, 0x808080, 1.5));
  scene.background = new THREE.Color(0xd8d8d8);
  const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
  renderer.setSize(size, size, false);
  renderer.render(scene, camera);
  const text = renderer.domElement.toDataURL("image/png").split(",")[1];
  renderer.dispose();
  return text;
};
