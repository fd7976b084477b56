/** The fields of every operation of the Worker under test. */
import { http } from './api.ts';
import { type Document, otherFieldsOf, type TextField, textFieldsOf } from './bodyFields.ts';

/** Every text field of every operation that has a sample. */
export async function allTextFields(): Promise<TextField[]> {
  return textFieldsOf(await readDocument());
}

/** Every other field that holds no fields itself: numbers, flags and choices. */
export async function allOtherFields(): Promise<TextField[]> {
  return otherFieldsOf(await readDocument());
}

/** The OpenAPI document as it is served. */
export async function readDocument(): Promise<Document> {
  return (await http('/openapi.json')).json();
}
