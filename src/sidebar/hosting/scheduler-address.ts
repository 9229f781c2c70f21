/** Connecting a notebook to a scheduler that runs somewhere: the check of the input, and the code that is inserted. */
import { textOf } from '../../base/untrusted';
import type { Translate } from '../../plot/plot';

/** Names of the input. */
export type AddressField = 'scheduler' | 'ca' | 'certificate' | 'key';

/** The input as it was typed. */
export type AddressValues = Readonly<Record<AddressField, string>>;

/** The input from the arguments of a command; anything but a text is empty. */
export function addressOf({ scheduler, ca, certificate, key }: Readonly<Record<string, unknown>>): AddressValues {
  return { scheduler: textOf(scheduler), ca: textOf(ca), certificate: textOf(certificate), key: textOf(key) };
}

/** An address with its protocol. */
const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\/\S+$/;
/** A host and a port: an address without its protocol. */
const HOST = /^[^\s/\\:]+:\d{1,5}$|^\[[0-9a-fA-F:]+\]:\d{1,5}$/;
/** A file that a scheduler writes about itself. */
const FILE = /\.json$/;

/** What is wrong with the input, by field; empty if it can be used. */
export function addressErrors(values: AddressValues, trans: Translate): Partial<Record<AddressField, string>> {
  const { scheduler, ca, certificate, key } = trimmed(values);
  // The address in a scheduler file may be one of TLS, too.
  const tls = scheduler.startsWith('tls://') || isFile(scheduler);
  if (!ADDRESS.test(scheduler) && !HOST.test(scheduler) && !FILE.test(scheduler)) {
    return { scheduler: trans.__('An address such as tcp://10.0.0.1:8786, or the path of a scheduler file (.json)') };
  }
  if (ca + certificate + key === '') {
    return {};
  }
  if (!tls) {
    return { scheduler: trans.__('Certificates belong to an address that begins with tls://, or to a scheduler file') };
  }
  return {
    ...(ca === '' ? { ca: trans.__('The authority is needed with a certificate') } : {}),
    ...(certificate === '' ? { certificate: trans.__('The certificate of the client is needed, too') } : {})
  };
}

/** The code that connects a notebook, for input without errors. */
export function addressCode(values: AddressValues): string {
  const { scheduler, ca, certificate, key } = trimmed(values);
  const place = isFile(scheduler) ? `scheduler_file=${literal(scheduler)}` : literal(scheduler);
  if (ca === '') {
    return `from distributed import Client\n\nclient = Client(${place})\nclient`;
  }
  const files = [
    ['tls_ca_file', ca],
    ['tls_client_cert', certificate],
    ['tls_client_key', key]
  ].filter(([, file]) => file !== '');
  return [
    'from distributed import Client, Security',
    '',
    'security = Security(',
    ...files.map(([name, file]) => `    ${name}=${literal(file)},`),
    '    require_encryption=True,',
    ')',
    `client = Client(${place}, security=security)`,
    'client'
  ].join('\n');
}

function isFile(scheduler: string): boolean {
  return FILE.test(scheduler) && !ADDRESS.test(scheduler);
}

/** A text as a literal of Python: the escapes of JSON are among Python's. */
function literal(text: string): string {
  return JSON.stringify(text);
}

function trimmed({ scheduler, ca, certificate, key }: AddressValues): AddressValues {
  return { scheduler: scheduler.trim(), ca: ca.trim(), certificate: certificate.trim(), key: key.trim() };
}
