/** Which values the types of a client of the lending application have to take, and which they have to refuse. */
import { typesOf } from '../typed-file.js';
import { differencesOf } from './differences.js';

/**
 * As in `everything/typed.js`; `$Photo` is the file of the form, `$Page` the body of the list, `$LendHeaders` and
 * `$ChangeHeaders` are the headers of answers.
 */
const ROWS = [
  ['$Device', ["{ serial: 'AB0001', name: 'A', kind: 'light', acquired: '2024-05-01' }"], ["{ serial: 'AB0001' }"]],
  ["$Device['kind']", ["'tripod'"], ["'car'"]],
  ['$Wish', ["{ until: '2026-12-01' }", "{ until: '2026-12-01', purpose: 'training' }"], ["{ purpose: 'shoot' }"]],
  ["$Loan['purpose']", ["'shoot'"], ["'fun'", 'undefined']],
  ["$Page['items'][number]['kind']", ["'light'"], ["'car'"]],
  ["$Page['next']", ["'/api/devices'", 'null', 'undefined'], ['1']],
  ['$Query', ["{ kind: 'light', since: '2024-05-01', from: 0, size: 1 }", '{}'], ["{ kind: 'car' }", "{ size: '1' }"]],
  ['$Photo', ['new File([], "a.png")'], ['1']],
  ["$LendHeaders['Location']", ["'/api/devices/AB0001/loan'"], ['1']],
  ["$ChangeHeaders['ETag']", ["'a'"], ['1']],
  ["NonNullable<$Problem['errors']>[number]['in']", ["'formData'"], ["'cookie'"]],
];

const operation = (name) => `generated.operations['ApiDevices${name}']`;
const query = `NonNullable<${operation('Get')}['parameters']['query']>`;

/** How each generator calls what is no schema. */
const NAMES = {
  'swagger-typescript-api': {
    Query: "NonNullable<Parameters<generated.Api<unknown>['api']['apiDevicesGet']>[0]>",
    Page: "Awaited<ReturnType<generated.Api<unknown>['api']['apiDevicesGet']>>['data']",
    Photo: "Parameters<generated.Api<unknown>['api']['apiDevicesBySerialPhotoPost']>[1]['photo']",
  },
  'openapi-typescript-5': {
    Query: query,
    Page: `${operation('Get')}['responses'][200]['schema']`,
    Photo: `${operation('BySerialPhotoPost')}['parameters']['formData']['photo']`,
  },
  'openapi-typescript-7': {
    Query: query,
    Page: `${operation('Get')}['responses'][200]['content']['application/json']`,
    Photo: `${operation('BySerialPhotoPost')}['requestBody']['content']['multipart/form-data']['photo']`,
    LendHeaders: `${operation('BySerialLoanPost')}['responses'][201]['headers']`,
    ChangeHeaders: `${operation('BySerialPut')}['responses'][200]['headers']`,
  },
};

export const typedFile = (client, format) => typesOf(client, ROWS, NAMES[client], differencesOf(client, format));
