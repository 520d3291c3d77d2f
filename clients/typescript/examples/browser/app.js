// Serve a project with the client installed, and open …/examples/browser/#url=…&user=…&token=… with the
// URL of the server, the id of a user, and the user's token.
import { createImgstoreClient } from '@imgstore/client';

const settings = new URLSearchParams(location.hash.slice(1));
const [baseUrl, user_id, token] = ['url', 'user', 'token'].map((name) => settings.get(name));
const imgstore = createImgstoreClient({ baseUrl, scheme: 'User', token });
const path = { user_id };

/** The result of a response. */
function resultOf({ data, error }) {
  if (error) throw new Error(`${error.error.code}: ${error.message}`);
  return data.result;
}

/** Uses XMLHttpRequest, since fetch does not report upload progress. */
function upload(form, onProgress) {
  const request = new XMLHttpRequest();
  request.open('POST', `${baseUrl}/api/v1/users/${user_id}/images`);
  request.setRequestHeader('Authorization', `User ${token}`);
  request.responseType = 'json';
  request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total);
  return new Promise((resolve, reject) => {
    request.onerror = () =>
      reject(new Error('The server cannot be reached, or lacks cors.origins.'));
    request.onload = () => {
      const { result, error } = request.response;
      if (error) reject(new Error(`${error.code}: ${error.message}`));
      else resolve(result);
    };
    request.send(form);
  });
}

async function showGrid() {
  const { items } = resultOf(
    await imgstore.GET('/api/v1/users/{user_id}/images', {
      params: { path, query: { has_delete_at: 'False', page_size: 60 } },
    }),
  );
  const pictures = items.map(({ thumb_url, filename }) =>
    Object.assign(new Image(), { src: thumb_url, alt: filename, loading: 'lazy' }),
  );
  document.querySelector('#grid').replaceChildren(...pictures);
}

/** Draws a circle for each place, sized by its number of images, without a base map. */
async function showMap() {
  const { items } = resultOf(
    await imgstore.GET('/api/v1/users/{user_id}/images/group', {
      params: { path, query: { page_size: 1000 } },
    }),
  );
  const circles = items.map(({ latitude, longitude, address_road, count }) => {
    const circle = document.createElementNS('http://www.w3.org/2000/svg', 'circle');
    const attributes = { cx: longitude + 180, cy: 90 - latitude, r: 2 + Math.log2(count) };
    for (const [name, value] of Object.entries(attributes)) circle.setAttribute(name, value);
    const title = document.createElementNS('http://www.w3.org/2000/svg', 'title');
    title.textContent = `${address_road ?? `${latitude}, ${longitude}`}: ${count}`;
    circle.append(title);
    return circle;
  });
  document.querySelector('#map').replaceChildren(...circles);
}

const show = () => Promise.all([showGrid(), showMap()]);

const form = document.querySelector('#upload');
const [bar, output] = [form.querySelector('progress'), form.querySelector('output')];

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { photos, latitude, longitude } = form.elements;
  try {
    for (const photo of photos.files) {
      const fields = new FormData();
      fields.append('image_data', photo);
      if (latitude.value) fields.append('latitude', latitude.value);
      if (longitude.value) fields.append('longitude', longitude.value);
      await upload(fields, (part) => (bar.value = part));
    }
    await show();
    output.textContent = `${photos.files.length} uploaded`;
  } catch (error) {
    output.textContent = error.message;
  }
});

await show();
